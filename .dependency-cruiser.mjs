/** The layers of docs/architecture.md, as rules. @type {import('dependency-cruiser').IConfiguration} */
export default {
  forbidden: [
    {
      name: 'domain-imports-nothing-outward',
      comment:
        'The domain is pure: no AWS SDK, no rendering, no payments client, no function. It may hash, and read addresses.',
      severity: 'error',
      from: { path: '^functions/shared/domain/' },
      to: {
        pathNot: [
          '^functions/shared/domain/',
          '^(node:)?(crypto|url)$',
          'node_modules/(zod|temporal-polyfill|temporal-utils|temporal-spec|d3-dsv)/',
        ],
      },
    },
    {
      name: 'rendering-knows-the-domain-only',
      comment: 'Mails and documents are made of what is known, and of nothing else: pure, like the domain.',
      severity: 'error',
      from: { path: '^functions/shared/rendering/' },
      to: {
        pathNot: [
          '^functions/shared/(domain|rendering)/',
          'node_modules/(zod|temporal-polyfill|temporal-utils|temporal-spec|csv-stringify|d3-dsv|mustache)/',
          'node_modules/((@types/)?(pdfkit|fontkit)|bidi-js|linebreak)/',
        ],
      },
    },
    {
      name: 'payments-know-the-domain-only',
      comment: 'The client of the payment service knows neither AWS nor the functions that use it.',
      severity: 'error',
      from: { path: '^functions/shared/payments/' },
      to: {
        path: '^functions/|node_modules/@(aws-sdk|smithy|aws-lambda-powertools)/',
        pathNot: '^functions/shared/(domain|payments)/',
      },
    },
    {
      name: 'mail-once-knows-ports-only',
      comment: 'Sending once is decided over ports; which mail service and which store are not its business.',
      severity: 'error',
      from: { path: '^functions/shared/mailing/once/' },
      to: {
        path: '^functions/|node_modules/@aws',
        pathNot:
          '^functions/shared/(domain/|mailing/once/|mailing/(ledger-store|mail-sender|suppression-list|ops/ops-notices)[.]ts$|runtime/clock[.]ts$)',
      },
    },
    {
      name: 'aws-knows-no-subject',
      comment: 'What stands over the SDK knows the ports that it implements, and no store.',
      severity: 'error',
      from: { path: '^functions/shared/aws/' },
      to: {
        path: '^functions/shared/',
        pathNot:
          '^functions/shared/(aws/|domain/|payments/authentication/credentials[.]ts$|mailing/(mail-sender|ops/ops-notices)[.]ts$|runtime/)',
      },
    },
    {
      name: 'wiring-is-for-functions',
      comment: 'Only functions are built from what stands in dependencies; no room knows how it is wired.',
      severity: 'error',
      from: { path: '^functions/shared/(?!dependencies/)' },
      to: { path: '^functions/shared/dependencies/' },
    },
    {
      name: 'shared-knows-no-function',
      comment: 'What functions share does not depend on one of them.',
      severity: 'error',
      from: { path: '^functions/shared/' },
      to: { path: '^functions/', pathNot: '^functions/(shared|page)/' },
    },
    {
      name: 'functions-are-independent',
      comment: 'One function never imports another; what both need is shared.',
      severity: 'error',
      from: { path: '^functions/(?!shared/)([^/]+)/' },
      to: { path: '^functions/', pathNot: ['^functions/$1/', '^functions/(shared|page)/'] },
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
      name: 'stacks-know-the-domain-only',
      comment: 'The stacks take facts from the domain, such as columns; nothing that runs in a function.',
      severity: 'error',
      from: { path: '^lib/' },
      to: { path: '^(functions|sandbox|soak|test|bench|scripts|bin)/', pathNot: '^functions/shared/domain/' },
    },
    {
      name: 'soak-knows-the-domain-only',
      comment:
        'The functions run as they are built; what is left behind is read by the domain, which says what it is.',
      severity: 'error',
      from: { path: '^soak/' },
      to: { path: '^(functions|test|bench)/', pathNot: '^functions/shared/domain/' },
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
