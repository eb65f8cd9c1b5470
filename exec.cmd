@rem cmd.exe has no exec. package.json uses it, so that no shell is between npm and node: signals to npm reach node.
@%*
