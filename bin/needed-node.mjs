// Plain JavaScript, which every Node understands: one that is too old for what is to be started cannot read TypeScript,
// and would say no more than that it does not know the extension.

const NEEDED = 24;

if (Number.parseInt(process.versions.node, 10) < NEEDED) {
  process.stderr.write(
    `This needs Node ${NEEDED}, and it was started with Node ${process.versions.node}. ` +
      `Start it with "npm start" or "npm run …": they use the Node ${NEEDED} that "npm ci" installs.\n`,
  );
  process.exit(2);
}
