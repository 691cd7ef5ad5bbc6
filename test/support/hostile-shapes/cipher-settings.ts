/** The cipher of the merchant who is pulled. */
export const CIPHER = { algorithm: 'aes-256-cbc' as const, key: 'k'.repeat(32), iv: 'i'.repeat(16) };
