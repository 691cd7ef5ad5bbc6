/** Which room of `functions/` imports which: nothing imports upward. docs/architecture.md, The rooms. */
const ROOMS_BELOW = {
  records: [],
  runtime: ['records'],
  registry: ['records'],
  service: ['records', 'registry'],
  mail: ['records', 'runtime', 'registry'],
  page: ['records', 'runtime', 'registry', 'service', 'mail'],
  alerts: ['records', 'runtime', 'registry', 'service', 'mail', 'page'],
  plan: ['records', 'runtime', 'registry', 'mail'],
  lake: ['records', 'runtime', 'registry'],
  watch: ['records', 'runtime', 'registry', 'mail', 'page'],
};

/** What decides, adds up and renders: no AWS SDK, no file, no clock. */
const PURE = [
  'records/',
  'registry/(?!registry-source[.]ts$)',
  'mail/(formatters|template|texts)/',
  'mail/notices/(ops-command|runbook|ops-notice)[.]ts$',
  'page/(figures|rendering)/',
  'page/(mail-decision|page-settings)[.]ts$',
  'alerts/(rules|rendering)/',
  'lake/sql/',
  'watch/announce/event-schemas[.]ts$',
  'lake/lake-settings[.]ts$',
  'page/prove/proof[.]ts$',
];
const PURE_FILES = `^functions/(${PURE.join('|')})`;

const FUNCTIONS_IN_ROOMS =
  'announce|daily-report|statement|link|unsubscribe|alert-check|mail-events|delivery-watch|prove|sweep';

const rooms = Object.entries(ROOMS_BELOW).map(([room, below]) => ({
  name: `${room}-imports-downward`,
  comment: `The room ${room} imports itself, and of the others: ${below.join(', ') || 'none'}.`,
  severity: 'error',
  from: { path: `^functions/${room}/` },
  to: { path: '^functions/', pathNot: `^functions/(${[room, ...below].join('|')})/` },
}));

/** @type {import('dependency-cruiser').IConfiguration} */
export default {
  forbidden: [
    ...rooms,
    {
      name: 'pure-code-imports-nothing-outward',
      comment: 'It may hash, and read addresses and paths.',
      severity: 'error',
      from: { path: PURE_FILES },
      to: {
        pathNot: [
          PURE_FILES,
          '^(node:)?(crypto|url|stream|path/posix)$',
          'node_modules/(zod|temporal-polyfill|temporal-utils|temporal-spec|d3-dsv|csv-stringify|fast-xml-builder|mustache)/',
          'node_modules/((@types/)?(pdfkit|fontkit)|bidi-js|linebreak)/',
        ],
      },
    },
    {
      name: 'service-knows-no-aws',
      comment: 'Only the reader of secrets does.',
      severity: 'error',
      from: { path: '^functions/service/', pathNot: 'secrets-manager-reader[.]ts$' },
      to: {
        path: 'node_modules/@(aws-sdk|smithy|aws-lambda-powertools)/',
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'mail-once-knows-ports-only',
      comment: 'Sending once is decided over ports; which mail service and which store are not its business.',
      severity: 'error',
      from: { path: '^functions/mail/once/' },
      to: {
        path: '^functions/(?!records/|registry/)|node_modules/@aws',
        pathNot:
          '^functions/(mail/once/|mail/(ledger-store|mail-sender|suppression-list)[.]ts$|mail/notices/|runtime/clock[.]ts$)',
      },
    },
    {
      name: 'functions-are-independent',
      comment:
        'One function never imports another; what both need stands in the room above them. Only the worker of the queues loads the function of statements.',
      severity: 'error',
      from: {
        path: `^functions/[a-z]+/(${FUNCTIONS_IN_ROOMS})/`,
        pathNot: '^functions/page/daily-report/daily-report[.]lambda[.]ts$',
      },
      to: { path: `^functions/([a-z]+/(${FUNCTIONS_IN_ROOMS})|plan)/`, pathNot: '^functions/[a-z]+/$1/' },
    },
    {
      name: 'rooms-know-no-function',
      comment: 'What functions share does not depend on one of them.',
      severity: 'error',
      from: { path: '^functions/', pathNot: `^functions/[a-z]+/(${FUNCTIONS_IN_ROOMS})/` },
      to: { path: `^functions/[a-z]+/(${FUNCTIONS_IN_ROOMS})/` },
    },
    {
      name: 'no-sandbox-in-functions',
      comment: 'The sandboxes serve tests and the local run; they are never deployed.',
      severity: 'error',
      from: { path: '^functions/' },
      to: { path: '^(sandbox|soak|test|bench|bin|scripts|lib)/' },
    },
    {
      name: 'sandbox-stands-alone',
      comment: 'Client and sandbox prove each other, so neither uses the other.',
      severity: 'error',
      from: { path: '^sandbox/' },
      to: { path: '^(functions|soak|bin|test|bench|scripts)/' },
    },
    {
      name: 'stacks-know-pure-code-only',
      comment: 'The stacks take facts, such as columns and keys; nothing that runs in a function.',
      severity: 'error',
      from: { path: '^lib/' },
      to: { path: '^(functions|sandbox|soak|test|bench|scripts|bin)/', pathNot: PURE_FILES },
    },
    {
      name: 'soak-knows-pure-code-only',
      comment:
        'The functions run as they are built; what is left behind is read by the pure code, which says what it is.',
      severity: 'error',
      from: { path: '^soak/' },
      to: { path: '^(functions|test|bench)/', pathNot: PURE_FILES },
    },
    {
      name: 'truths-look-and-do-nothing',
      comment: 'What a run has left is held against what is true without the world that it ran in.',
      severity: 'error',
      from: { path: '^soak/truths/' },
      to: {
        path: '^(sandbox|soak|node_modules)/',
        pathNot: ['^soak/truths/', 'node_modules/zod/'],
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'no-circles',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    { name: 'resolvable', severity: 'error', from: {}, to: { couldNotResolve: true } },
    {
      name: 'declared-dependencies-only',
      severity: 'error',
      from: { path: '^functions/' },
      to: { dependencyTypes: ['npm-dev', 'npm-no-pkg', 'npm-unknown'], dependencyTypesNot: ['type-only'] },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'node', 'default'] },
  },
};
