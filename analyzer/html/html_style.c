/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The style sheet of every page: light, dark and print, from 320 pixels on.
 * Contrast is at least 4.5 for text and 3 for marks; colors of parts are those
 * of Okabe and Ito, which most people can distinguish.
 */
#include "analyzer/html/html_internal.h"

#define LIGHT \
	"--bg:#fff;--fg:#1b1f24;--dim:#57606a;--line:#d0d7de;--soft:#f3f5f7;" \
	"--fill:#0b5cad;--part:#85b4e0;--limit:#9a4a00;" \
	"--info:#0b5cad;--warning:#8a5a00;--critical:#b3001b;" \
	"--c0:#0072b2;--c1:#d55e00;--c2:#009e73;--c3:#cc79a7;--c4:#c29200;" \
	"--c5:#56b4e9;--c6:#444;--c7:#999;" \
	"--h0:#eaf1f8;--h1:#c9def1;--h2:#9cc3e5;--h3:#66a1d4;--h4:#347dbc;" \
	"--h5:#125a98;--h6:#08325c"

/* Put the text below the bar, with the value next to it. */
#define NARROW_GAUGE \
	".gauge{grid-template-columns:minmax(0,12rem) 1fr}" \
	".gauge b{text-align:left}.gauge span{grid-column:1/3}"

static const char of_text[] =
":root{color-scheme:light dark;" LIGHT "}\n"
"@media (prefers-color-scheme:dark){:root{"
"--bg:#14171b;--fg:#e6e8eb;--dim:#a4adb8;--line:#3a424c;--soft:#1d2228;"
"--fill:#58a6f0;--part:#2b5c8f;--limit:#f0a35a;"
"--info:#7ab8f5;--warning:#e9b949;--critical:#ff8a8a;"
"--c0:#4aa3dd;--c1:#f0803c;--c2:#2fc296;--c3:#e0a0c4;--c4:#e5c04b;"
"--c5:#8fd0f5;--c6:#bbb;--c7:#777;"
"--h0:#1f2933;--h1:#213d57;--h2:#235379;--h3:#2b6fa3;--h4:#4a94cc;"
"--h5:#85bfe8;--h6:#d8edfc}}\n"
"*{box-sizing:border-box}\n"
"body{margin:0;background:var(--bg);color:var(--fg);"
"font:1rem/1.5 system-ui,sans-serif}\n"
"main{max-width:58rem;margin:0 auto;padding:1rem 1rem 3rem;"
"overflow-wrap:anywhere}\n"
"h1{font-size:1.5rem;line-height:1.25;margin:.5rem 0}\n"
"h2{font-size:1.15rem;margin:2rem 0 .5rem;padding-bottom:.2rem;"
"border-bottom:1px solid var(--line)}\n"
"h3{font-size:1rem;margin:0 0 .3rem}\n"
"p{margin:.4rem 0}\n"
".lead{font-size:1.15rem;margin-bottom:1rem}\n"
".note,caption,figcaption p,.x,.y,.key{color:var(--dim);"
"font-size:.875rem}\n"
"dl{display:grid;grid-template-columns:minmax(5.5rem,max-content) 1fr;"
"gap:.25rem 1rem;margin:.5rem 0}\n"
"dt{color:var(--dim)}\n"
"dd{margin:0;grid-column:2}\n"
"pre{margin:.5rem 0;padding:.5rem .75rem;background:var(--soft);"
"border:1px solid var(--line);border-radius:4px;white-space:pre-wrap}\n"
"code{font:.9em ui-monospace,monospace}\n"
".wide{overflow-x:auto;margin:.75rem 0}\n"
"table{border-collapse:collapse;width:100%;font-size:.925rem;"
"overflow-wrap:normal}\n"
"caption{text-align:left;padding:.2rem 0;"
"max-width:calc(100vw - 1.5rem)}\n"
"th,td{text-align:left;vertical-align:top;padding:.25rem .6rem;"
"border-bottom:1px solid var(--line)}\n"
"th:first-child,td:first-child{padding-left:0}\n"
"thead th{color:var(--dim);font-weight:600;white-space:nowrap}\n"
"tbody th{font-weight:600;max-width:20rem;overflow-wrap:break-word}\n"
"td code{white-space:nowrap}\n"
"tr:has(+.more)>*{border-bottom:0}.more td{padding:0 0 .6rem}"
".more p{margin:0;max-width:calc(100vw - 2.5rem)}"
".more code{white-space:pre-wrap}\n"
".n{text-align:right;white-space:nowrap;"
"font-variant-numeric:tabular-nums}\n"
".sides{display:grid;grid-template-columns:1fr 1fr;gap:0 1.5rem}\n"
".sides figure{min-width:0}\n"
"details{margin:.5rem 0}\n"
"summary{cursor:pointer;color:var(--dim)}\n"
".box{margin:.75rem 0;padding:.6rem .9rem;background:var(--soft);"
"border-left:4px solid var(--tone)}\n"
".box h3{color:var(--tone)}.box>:last-child{margin-bottom:0}\n"
".info{--tone:var(--info)}.warning{--tone:var(--warning)}"
".critical{--tone:var(--critical)}\n"
".mark{display:inline-block;min-width:1.4em;text-align:center;"
"border:1px solid;border-radius:4px;font:700 .9em/1.4 "
"ui-monospace,monospace}\n";

static const char of_pictures[] =
"figure{margin:1.25rem 0;break-inside:avoid}\n"
"figcaption b,.key b{color:var(--fg)}\n"
"svg{display:block;width:100%;overflow:visible}\n"
".gauge{display:grid;grid-template-columns:12rem 4.5rem 1fr;"
"column-gap:.6rem}\n"
".gauge b{text-align:right;font-variant-numeric:tabular-nums}\n"
".bar{height:.8rem;margin-top:.35rem}\n"
".bar,.parts{background:var(--soft);outline:1px solid var(--line)}\n"
".parts{height:1.4rem}\n"
".fill{fill:var(--fill)}.part{fill:var(--part)}\n"
".plot{display:grid;grid-template-columns:minmax(5.5rem,max-content) 1fr;"
"column-gap:.5rem}\n"
".plot svg{height:6rem;background:var(--soft);"
"border-left:1px solid var(--dim);border-bottom:1px solid var(--dim)}\n"
".x,.y{white-space:nowrap}\n"
".y{display:flex;flex-direction:column;justify-content:space-between;"
"text-align:right;line-height:1.1}\n"
".x{grid-column:2;position:relative;height:1.4em;display:flex;"
"justify-content:space-between}\n"
".x [style]{position:absolute;transform:translateX(-50%)}\n"
".grid{stroke:var(--line);stroke-width:1px;"
"vector-effect:non-scaling-stroke}\n"
".bad{fill:var(--critical)}\n"
".line{fill:none;stroke:var(--fill);stroke-width:1.5px}\n"
".limit{fill:none;stroke:var(--limit);stroke-width:1.5px;"
"stroke-dasharray:6 4}\n"
".strip{height:2rem;background:var(--soft);"
"border-bottom:1px solid var(--dim)}\n"
".tick,.s0,.s1,.s2{fill:none;stroke:var(--fg);stroke-width:2px}\n"
".tick{stroke-opacity:.3}.s0{stroke:var(--c0);stroke-width:4px}"
".s1{stroke:var(--c1);stroke-width:4px;stroke-dasharray:6 3}"
".s2{stroke:var(--c2);stroke-width:4px;stroke-dasharray:2 2}\n"
".tick,.s0,.s1,.s2,.line,.limit{vector-effect:non-scaling-stroke}\n"
".key{list-style:none;display:flex;flex-wrap:wrap;gap:.1rem 1rem;"
"padding:0;margin:.4rem 0}\n"
".key span{display:inline-block;width:.8em;height:.8em;margin-right:.4em;"
"outline:1px solid var(--line)}\n"
".map .y span{white-space:nowrap;overflow:hidden;max-width:9rem;"
"text-overflow:ellipsis;margin-left:auto}\n"
".map .y{line-height:20px}.map .plot svg,.map .y{height:100%}\n"
".map .plot svg{background:repeating-linear-gradient("
"45deg,var(--bg) 0 4px,var(--line) 4px 5px)}\n"
".map .plot .lanes{background:var(--soft)}"
".map path{fill:none;stroke-width:1.02}\n"
".c0{fill:var(--c0);background:var(--c0)}"
".c1{fill:var(--c1);background:var(--c1)}"
".c2{fill:var(--c2);background:var(--c2)}"
".c3{fill:var(--c3);background:var(--c3)}"
".c4{fill:var(--c4);background:var(--c4)}"
".c5{fill:var(--c5);background:var(--c5)}"
".c6{fill:var(--c6);background:var(--c6)}"
".c7{fill:var(--c7);background:var(--c7)}\n"
".h0{stroke:var(--h0);background:var(--h0)}"
".h1{stroke:var(--h1);background:var(--h1)}"
".h2{stroke:var(--h2);background:var(--h2)}"
".h3{stroke:var(--h3);background:var(--h3)}"
".h4{stroke:var(--h4);background:var(--h4)}"
".h5{stroke:var(--h5);background:var(--h5)}"
".h6{stroke:var(--h6);background:var(--h6)}\n";

static const char of_media[] =
"@media (max-width:44rem){" NARROW_GAUGE ".sides{display:block}}\n"
"@media (max-width:30rem){main{padding:.5rem .6rem 2rem}"
"dl{display:block}dd{margin:0 0 .5rem}"
"dt{font-weight:600}"
".plot{grid-template-columns:4.6rem 1fr}"
".map .y span{max-width:5rem}tbody th{max-width:6rem}"
"table{font-size:.8rem}th,td{padding:.2rem .3rem}"
".n,thead th{white-space:normal;overflow-wrap:normal}}\n"
"@page{size:A4;margin:12mm}\n"
"@media print{:root{color-scheme:light;" LIGHT "}"
"html{font-size:8pt}body{line-height:1.3}"
"main{max-width:none;padding:0;columns:2;column-gap:7mm}"
"h1,.lead,main>.wide,h2:has(+.wide){column-span:all}"
"h2{margin:.8rem 0 .3rem}figure,.box{margin:.5rem 0}.box{padding:.3rem .6rem}"
"th,td{padding:.1rem .4rem}.plot svg{height:3.2rem}"
NARROW_GAUGE
"summary{list-style:none}.screen{display:none}"
"details::details-content{content-visibility:visible;block-size:auto}"
".wide{overflow:visible}h2,h3,caption{break-after:avoid}"
".box,tr,pre,dl{break-inside:avoid}tr.more{break-before:avoid}"
"svg,.key span,.box,pre{print-color-adjust:exact;"
"-webkit-print-color-adjust:exact}}\n";

const char *const sw_html_styles[] = {
	of_text,
	of_pictures,
	of_media,
	NULL,
};
