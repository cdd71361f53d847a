"""The style of reviews on screen and on paper: the notebook and the report made from it use the same classes.

Colours are variables with a light and a dark value; the light values are used on paper.
"""

from functools import cache

_WIDTHS = {f"kp-width-{number}": number for number in range(1, 101)}
"""Classes of columns and their widths on paper, in percent of the table."""

COLUMN_CLASSES = frozenset(_WIDTHS)

_LIGHT = """--ink:#1c2430;--navy:#13294b;--muted:#566070;--line:#cdd3db;--panel:#f4f6f9;--page:#fff;--back:#eef1f5;
--good:#1b5e3e;--good-bg:#e5f2eb;--watch:#855408;--watch-bg:#fdf1dc;--alarm:#961b23;--alarm-bg:#fbe5e5;
--unknown:#4a3f7d;--unknown-bg:#ece9f7;--link:#1d4f91"""
_DARK = """--ink:#e6e9ee;--navy:#c9d8f0;--muted:#a3adbb;--line:#3b4553;--panel:#232b37;--page:#1a212b;--back:#11161d;
--good:#8fd3ae;--good-bg:#1c3529;--watch:#f0c274;--watch-bg:#3a2e16;--alarm:#ff9fa3;--alarm-bg:#42191d;
--unknown:#c4baf2;--unknown-bg:#2c2647;--link:#9cc3ff"""

NOTEBOOK_STYLE = (
    f".kp{{{_LIGHT}}}"
    """
.kp{color:var(--ink);font-size:14px;line-height:1.5;max-width:1080px}
body[data-jp-theme-light="false"] .kp{"""
    + _DARK
    + """}
.kp .kp-name{font-family:Georgia,'Source Serif Pro','kycpack scripts',serif;font-size:24px;line-height:1.25;margin:0 0 2px;
color:var(--navy);overflow-wrap:anywhere}
.kp .kp-text{margin:0 0 10px;overflow-wrap:anywhere}
.kp .kp-quiet{color:var(--muted)}
.kp a{color:var(--link);white-space:nowrap}
.kp .kp-id{white-space:nowrap}
.kp .kp-eyebrow{margin:0;font-size:11px;letter-spacing:.06em;text-transform:uppercase;color:var(--muted)}
.kp .kp-verdict{display:inline-block;vertical-align:top;box-sizing:border-box;width:48%;min-width:280px;
margin:8px 12px 12px 0;padding:14px 20px;background:var(--panel);border-left:5px solid var(--navy)}
.kp .kp-verdict p{margin:0;overflow-wrap:anywhere}
.kp .kp-verdict .kp-level{font-family:Georgia,'Source Serif Pro','kycpack scripts',serif;font-size:24px;line-height:1.3;color:var(--navy)}
.kp .kp-strip{display:flex;flex-wrap:wrap;gap:8px;margin:4px 0 16px}
.kp .kp-check{flex:1 1 120px;padding:8px 12px;background:var(--panel);border-top:3px solid var(--muted)}
.kp .kp-check p{margin:0}
.kp .kp-two{display:flex;flex-wrap:wrap;gap:0 36px}
.kp .kp-two>div{flex:3 1 320px;min-width:0}
.kp .kp-two>div+div{flex-grow:2}
.kp .kp-sub{font-size:15px;color:var(--navy);margin:18px 0 6px;font-weight:600}
.kp .kp-facts{display:flex;flex-wrap:wrap;margin:8px 0 14px}
.kp .kp-facts div{margin:0 36px 8px 0;max-width:100%}
.kp .kp-facts dt,.kp .kp-facts dd{display:block;float:none;clear:none;width:auto;margin:0;padding:0}
.kp .kp-facts dt{font-size:12px;color:var(--muted);font-weight:400}
.kp .kp-facts dd{overflow-wrap:anywhere}
.kp .kp-scroll{overflow-x:auto;margin:0 0 16px}
.kp .kp-chart{margin:0}
.kp .kp-scroll:focus-visible{outline:3px solid var(--link);outline-offset:2px}
.kp .kp-table{border-collapse:collapse;width:100%;margin:0;font-size:13px;table-layout:auto}
.kp .kp-table th{background:var(--panel);color:var(--navy);font-weight:600;border-bottom:1.5px solid var(--navy);
padding:6px 8px;text-align:left;vertical-align:bottom}
.kp .kp-table td{border-bottom:1px solid var(--line);padding:5px 8px;text-align:left;vertical-align:top;
overflow-wrap:break-word;min-width:5.6em;max-width:34em}
.kp .kp-table td:target,.kp .kp-table td:target~td{background:var(--watch-bg)}
.kp .kp-table .kp-right{text-align:right;font-variant-numeric:tabular-nums;overflow-wrap:normal}
.kp .kp-table td[id],.kp a[href^="#"]{white-space:nowrap}
@media screen{.kp .kp-table td.kp-instant{min-width:8em}}
.kp .kp-word{font-weight:600}
.kp span.kp-quiet{font-weight:400}
.kp .kp-good{color:var(--good)}.kp .kp-watch{color:var(--watch)}.kp .kp-alarm{color:var(--alarm)}
.kp .kp-unknown{color:var(--unknown)}
.kp p.kp-unknown{background:var(--unknown-bg);border-left:4px solid var(--unknown);padding:8px 14px;color:var(--ink)}
.kp div.kp-good{background:var(--good-bg);border-color:var(--good)}
.kp div.kp-watch{background:var(--watch-bg);border-color:var(--watch)}
.kp div.kp-alarm{background:var(--alarm-bg);border-color:var(--alarm)}
.kp div.kp-unknown{background:var(--unknown-bg);border-color:var(--unknown)}
.kp .kp-verdict.kp-good .kp-level{color:var(--good)}.kp .kp-verdict.kp-watch .kp-level{color:var(--watch)}
.kp .kp-verdict.kp-alarm .kp-level{color:var(--alarm)}
.kp .kp-verdict{color:var(--ink)}
.kp .kp-figure{display:block;box-sizing:border-box;width:100%;max-width:900px;height:auto;margin:6px 0 10px;background:#fff}
body[data-jp-theme-light="false"] .kp .kp-figure{padding:8px}
.kp .kp-list{margin:0 0 12px;padding-left:20px}
.kp .kp-list li{overflow-wrap:anywhere}
"""
)
"""Style for the output of a notebook; every rule is below the class `kp`."""

REPORT_STYLE = (
    f":root{{color-scheme:light dark;{_LIGHT}}}"
    """
*{box-sizing:border-box}
html{scroll-behavior:smooth;-webkit-text-size-adjust:100%}
body{margin:0;background:var(--back);color:var(--ink);
font:15px/1.55 'Source Sans Pro','Segoe UI',Helvetica,Arial,'kycpack scripts',sans-serif}
header{background:#13294b;color:#fff;border-bottom:4px solid #a88648;padding:18px 24px}
header div,main,footer,nav{max-width:1100px;margin:0 auto}
header p{margin:0;font-size:12px;letter-spacing:.08em;text-transform:uppercase;color:#c9d3e2}
header h1{font-family:Georgia,'Source Serif Pro','kycpack scripts',serif;font-size:26px;font-weight:600;margin:0;color:#fff;
overflow-wrap:anywhere}
.skip{position:absolute;left:-999px}.skip:focus{left:8px;top:8px;background:var(--page);padding:8px;z-index:2}
nav{background:var(--page);padding:14px 44px;border-bottom:1px solid var(--line)}
nav summary{font-size:12px;color:var(--muted);font-weight:600;padding:4px 0}
nav ol{margin:4px 0 0;padding:0;list-style:none;columns:3;column-gap:28px;font-size:14px}
nav li{margin:0;break-inside:avoid}
nav a{display:block;padding:3px 0}
main{background:var(--page);padding:24px 44px 40px;box-shadow:0 1px 4px rgba(19,41,75,.12)}
main h2,main h3{font-family:Georgia,'Source Serif Pro','kycpack scripts',serif;color:var(--navy);line-height:1.25;break-after:avoid}
main h2{font-size:21px;margin:34px 0 10px;padding-bottom:6px;border-bottom:1px solid var(--line);scroll-margin-top:12px}
footer{padding:18px 44px 40px;font-size:12px;color:var(--muted);overflow-wrap:anywhere}
pre.said{background:var(--panel);padding:10px 14px;white-space:pre-wrap;overflow-wrap:anywhere;font-size:13px}
a{color:var(--link)}
@media (prefers-color-scheme:dark){:root,.kp{"""
    + _DARK
    + """}.kp .kp-figure{border-radius:3px;padding:6px}}
@media (max-width:700px){
header,main,nav,footer{padding-left:16px;padding-right:16px}
header h1{font-size:20px}
nav ol{columns:1}nav a{padding:7px 0}
.kp .kp-verdict{width:100%;margin-right:0}
.kp .kp-facts div{margin-right:20px}
.kp .kp-check{flex-basis:40%}
.kp .kp-scroll{overflow-x:visible}
.kp .kp-table,.kp .kp-table tbody,.kp .kp-table tr,.kp .kp-table td{display:block;width:100%;max-width:none}
.kp .kp-table thead{position:absolute;left:-9999px}
.kp .kp-table tr{border:1px solid var(--line);border-radius:6px;padding:6px 12px;margin:0 0 10px;background:var(--panel)}
.kp .kp-table td,.kp .kp-table .kp-right{border:0;padding:3px 0;text-align:left;overflow-wrap:anywhere}
.kp .kp-table td::before{content:attr(data-label);display:block;font-size:11px;color:var(--muted)}
.kp .kp-table td[data-label=""]::before{content:none}
}
@supports selector(::details-content){@media screen and (min-width:701px),print{
nav summary{pointer-events:none;list-style:none}nav details::details-content{content-visibility:visible}}}
@media screen and (max-width:700px){
.kp .kp-chart{overflow-x:auto}.kp .kp-figure{width:720px;max-width:none}
.kp .kp-chart::before{content:"Scroll sideways to see all of the chart";position:sticky;left:0;font-size:11px;color:var(--muted)}
}
@media print{
:root,.kp{"""
    + _LIGHT
    + """}
@page{size:A4;margin:16mm 14mm}
body{background:#fff;font-size:10.5pt}
header{background:none;border-bottom:2px solid #13294b;padding:0 0 8px}
header p{color:#566070}header h1{color:#13294b}
nav{padding:8px 0}main,footer{box-shadow:none;padding:8px 0;max-width:none}
.kp{max-width:none}.kp .kp-scroll{overflow:visible}
.kp .kp-table{font-size:8pt;table-layout:fixed}.kp .kp-table th,.kp .kp-table td{padding:4px 3px;hyphens:manual}
.kp .kp-table td,.kp .kp-table td.kp-right{overflow-wrap:break-word;min-width:0;max-width:none}
.kp .kp-table .kp-id{white-space:normal}
.kp .kp-check{flex-basis:80px;padding:6px 8px}
"""
    + "".join(f".kp .{name}{{width:{width}%}}" for name, width in _WIDTHS.items())
    + """
main h2+p,.kp .kp-sub,.kp .kp-sub+p{break-after:avoid}
.kp .kp-table thead{display:table-header-group}
.kp .kp-table tr,.kp .kp-figure,.kp .kp-verdict,.kp .kp-check{break-inside:avoid}
*{-webkit-print-color-adjust:exact;print-color-adjust:exact}
}
"""
)
"""Style of the page around them."""


@cache
def width_class(share: float) -> str:
    """Return the class of a column.

    Args:
        share: Share of the table's width on paper, 0..1.
    """
    return min(_WIDTHS, key=lambda name: abs(_WIDTHS[name] - 100 * share))
