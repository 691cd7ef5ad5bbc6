import tseslint from 'typescript-eslint';

export default tseslint.config(
  { ignores: ['dist/', '.cache/', '.local/', 'cdk.out/', 'node_modules/', 'coverage/'] },
  ...tseslint.configs.strictTypeChecked,
  {
    // One program for all files: with those of the projects, each file's types are worked out several times.
    languageOptions: {
      parserOptions: { project: './tsconfig.lint.json', tsconfigRootDir: import.meta.dirname },
    },
    rules: {
      // A type assertion hides what a schema or a narrowing should prove.
      '@typescript-eslint/consistent-type-assertions': ['error', { assertionStyle: 'never' }],
      '@typescript-eslint/switch-exhaustiveness-check': [
        'error',
        { considerDefaultExhaustiveForUnions: true },
      ],
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/restrict-template-expressions': [
        'error',
        { allowNumber: true, allowBoolean: true },
      ],
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      'no-console': 'error',
      eqeqeq: 'error',
    },
  },
  {
    // A query over the log of all functions finds a field under one name; the logger's own fields stay what they are.
    files: ['functions/**'],
    rules: {
      'no-restricted-syntax': [
        'error',
        ...[
          ':matches([callee.object.name="logger"], [callee.object.property.name="logger"])',
          '[callee.name="log"]',
        ].map((callee) => ({
          selector: `CallExpression${callee} > ObjectExpression > Property[key.name=/^(details|message|level|timestamp|service|error|sampling_rate|xray_trace_id|cold_start|function_.*)$/]`,
          message: 'Log fields are flat, and no name is one that the logger itself writes.',
        })),
      ],
    },
  },
  {
    // The command line speaks to a person.
    files: ['bin/**', 'scripts/**', 'bench/**'],
    rules: { 'no-console': 'off' },
  },
  {
    files: ['bench/**'],
    rules: {
      '@typescript-eslint/consistent-type-assertions': 'off',
      '@typescript-eslint/no-non-null-assertion': 'off',
    },
  },
  {
    files: ['test/**', 'bench/**'],
    rules: {
      '@typescript-eslint/no-unused-expressions': ['error', { allowTaggedTemplates: true }],
      'no-restricted-syntax': [
        'error',
        {
          selector:
            "BinaryExpression[operator='-'][left.callee.property.name='parse'][right.callee.property.name='now']",
          message:
            "A fixed date held against the machine's clock means another thing tomorrow: world.clock.setTo('…').",
        },
      ],
    },
  },
  { files: ['**/*.mjs'], ...tseslint.configs.disableTypeChecked },
);
