#!/usr/bin/env node
// `npx unified-records`: the service, by default with the sandbox. Takes the flags of `unirec serve`.
import { serve } from './launcher.mjs'

process.env.UNIREC_COMMAND = 'unified-records' // for the help and usage errors
serve(process.argv.slice(2))
