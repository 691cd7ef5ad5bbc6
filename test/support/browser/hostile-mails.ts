/** What a mail's HTML could hold that goes somewhere, asks somebody or runs. @param origin of a server that must hear nothing */
export function hostileParts(origin: string): Record<string, string> {
  return {
    'a refresh': `<meta http-equiv="refresh" content="0;url=${origin}/refresh">`,
    'a refresh in an unclosed comment': `<!--><meta http-equiv=refresh content="0;url=${origin}/comment">`,
    'a refresh after a style that looks open': `<style><!--</style><meta http-equiv="ReFresh" content="0;url=${origin}/style">--></style>`,
    'a refresh in noscript': `<noscript><p title="</noscript><meta http-equiv=refresh content='0;url=${origin}/noscript'>">`,
    'a refresh within foreign elements': `<math><mtext><table><mglyph><style><!--</style><meta http-equiv="refresh" content="0;url=${origin}/math">`,
    'a script': `<script>location = '${origin}/script'</script>`,
    'a form that sends itself': `<form id="f" action="${origin}/form"><input name="a" autofocus onfocus="f.submit()"></form><img src="x:" onerror="f.submit()">`,
    'a base': `<base href="${origin}/base/"><img src="picture.png"><link rel="stylesheet" href="base.css">`,
    'a frame': `<iframe src="${origin}/frame"></iframe>`,
    'a frame with a page of its own': `<iframe srcdoc="<script>parent.location = '${origin}/srcdoc'</script><img src='${origin}/srcdoc-image'>"></iframe>`,
    'an object': `<object data="${origin}/object"></object><embed src="${origin}/embed">`,
    'a drawing with a script': `<svg onload="location = '${origin}/svg'"><script>location = '${origin}/svg-script'</script><image href="${origin}/svg-image"></image></svg>`,
    'event handlers': `<img src="x:" onerror="location = '${origin}/error'"><details open ontoggle="location = '${origin}/toggle'">a</details>`,
    'an import of style': `<style>@import '${origin}/import.css'; body { background: url(${origin}/background) }</style>`,
    'a style in an attribute': `<div style="background: url(${origin}/inline); width: 9px; height: 9px"></div>`,
    'links of the head': `<link rel="stylesheet" href="${origin}/style.css"><link rel="prefetch" href="${origin}/prefetch"><link rel="preconnect" href="${origin}">`,
    'pictures and sounds': `<img src="${origin}/image"><img srcset="${origin}/srcset 1x"><video poster="${origin}/poster"></video><audio src="${origin}/audio" autoplay></audio><picture><source srcset="${origin}/source"><img></picture>`,
    'a link to the window': `<a href="${origin}/top" target="_top">press me</a>`,
    'a link to a new window': `<a href="${origin}/blank" target="_blank" ping="${origin}/ping">press me</a>`,
    'a link that is a script': `<a href="javascript:location = '${origin}/javascript'">press me</a>`,
  };
}

/** A mail with this in its HTML, and with a page attached to it. */
export function mailWith(part: string): string {
  return [
    'From: <somebody@example.com>',
    'To: <owner@example.com>',
    'Subject: hostile',
    'MIME-Version: 1.0',
    'Content-Type: multipart/mixed; boundary=part-of-the-mail',
    '',
    '--part-of-the-mail',
    'Content-Type: text/html; charset=utf-8',
    '',
    pageWith(part),
    '--part-of-the-mail',
    'Content-Type: text/html; name="page.html"',
    'Content-Disposition: attachment; filename="page.html"',
    '',
    pageWith(part),
    '--part-of-the-mail--',
    '',
  ].join('\r\n');
}

export function pageWith(part: string): string {
  return `<!doctype html><html lang="en"><head><title>t</title></head><body><h1>Harmless words</h1>${part}</body></html>`;
}
