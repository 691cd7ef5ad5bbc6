/** The library's own declarations are not in its package. */
declare module 'asl-validator' {
  interface Validation {
    isValid: boolean;
    errorsText: (separator?: string) => string;
  }
  const validate: (definition: unknown, options?: { checkArn?: boolean; checkPaths?: boolean }) => Validation;
  export = validate;
}
