// This is plain JavaScript, because an old Node cannot read TypeScript: it would only complain about an unknown file
// extension.

/** The oldest Node that works: `import.meta.main` came with it. package.json has the same under "engines". */
const NEEDED = { major: 24, minor: 2 };

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);

if (major < NEEDED.major || (major === NEEDED.major && minor < NEEDED.minor)) {
  process.stderr.write(
    `This needs Node ${NEEDED.major}.${NEEDED.minor} or newer, and it was started with Node ${process.versions.node}. ` +
      'Start it with "npm start" or "npm run …": on Linux and Windows they use the Node that "npm ci" installs. ' +
      'Elsewhere, install the one that .nvmrc names.\n',
  );
  process.exit(2);
}
