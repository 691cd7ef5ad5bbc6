import type { Font } from 'fontkit';

/** What pdfkit has and @types/pdfkit does not say yet. */
declare global {
  namespace PDFKit.Mixins {
    interface PDFFont {
      /** Since pdfkit 0.20: a font that fontkit has read. */
      registerFont(name: string, src: Font): this;
    }
    interface StructureElementOptions {
      /** Of a table's head. Since pdfkit 0.19. */
      scope?: 'Row' | 'Column';
    }
  }
}
