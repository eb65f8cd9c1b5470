// A build gives all imported styles to the page: see build.mjs.
declare module '*.css'
