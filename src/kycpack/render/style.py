"""The style of reviews on a screen: the same classes in the notebook and in the report made of it."""

NOTEBOOK_STYLE = """
.kp{color:#1c2430;font-size:14px;line-height:1.5;max-width:1080px}
.kp .kp-name{font-size:20px;margin:0 0 2px;color:#13294b}
.kp .kp-text{margin:0 0 10px}
.kp .kp-quiet{color:#606a78}
.kp .kp-eyebrow{margin:0;font-size:11px;letter-spacing:.06em;text-transform:uppercase;color:#606a78}
.kp .kp-verdict{display:inline-block;vertical-align:top;box-sizing:border-box;width:48%;min-width:280px;
margin:8px 12px 12px 0;padding:14px 20px;background:#f4f6f9;border-left:5px solid #13294b}
.kp .kp-verdict p{margin:0}
.kp .kp-verdict .kp-level{font-family:Georgia,'Source Serif Pro',serif;font-size:24px;line-height:1.3;color:#13294b}
.kp .kp-sub{font-size:15px;color:#13294b;margin:18px 0 6px}
.kp .kp-facts{display:flex;flex-wrap:wrap;margin:8px 0 14px}
.kp .kp-facts div{margin:0 36px 8px 0;max-width:100%}
.kp .kp-facts dt{font-size:12px;color:#606a78;font-weight:400}
.kp .kp-facts dd{margin:0;overflow-wrap:anywhere}
.kp .kp-table{border-collapse:collapse;width:100%;margin:0 0 16px;font-size:13px;table-layout:auto}
.kp .kp-table th{background:#f4f6f9;color:#13294b;font-weight:600;border-bottom:1.5px solid #13294b;padding:6px 8px;
text-align:left;vertical-align:bottom}
.kp .kp-table td{border-bottom:1px solid #cdd3db;padding:5px 8px;text-align:left;vertical-align:top;
overflow-wrap:anywhere;min-width:5.6em}
.kp .kp-table .kp-right{text-align:right;font-variant-numeric:tabular-nums;overflow-wrap:normal}
.kp .kp-word{font-weight:600}
.kp span.kp-quiet{font-weight:400}
.kp .kp-good{color:#1b5e3e}.kp .kp-watch{color:#855408}.kp .kp-alarm{color:#961b23}.kp .kp-unknown{color:#4a3f7d}
.kp p.kp-unknown{background:#ece9f7;border-left:4px solid #4a3f7d;padding:8px 14px;color:#1c2430}
.kp .kp-verdict.kp-good{background:#e5f2eb;border-color:#1b5e3e}.kp .kp-verdict.kp-good .kp-level{color:#1b5e3e}
.kp .kp-verdict.kp-watch{background:#fdf1dc;border-color:#855408}.kp .kp-verdict.kp-watch .kp-level{color:#855408}
.kp .kp-verdict.kp-alarm{background:#fbe5e5;border-color:#961b23}.kp .kp-verdict.kp-alarm .kp-level{color:#961b23}
.kp .kp-verdict.kp-watch,.kp .kp-verdict.kp-alarm,.kp .kp-verdict.kp-good{color:#1c2430}
.kp .kp-figure{display:block;width:100%;max-width:900px;height:auto;margin:6px 0 10px}
.kp .kp-list{margin:0 0 12px;padding-left:20px}
"""
"""Style for what a notebook shows, every rule below the class `kp`."""

REPORT_STYLE = """
*{box-sizing:border-box}
body{margin:0;background:#eef1f5;color:#1c2430;font:15px/1.55 'Source Sans Pro','Segoe UI',Helvetica,Arial,sans-serif}
header{background:#13294b;color:#fff;border-bottom:4px solid #a88648;padding:18px 24px}
header div,main,footer{max-width:1100px;margin:0 auto}
header p{margin:0;font-size:12px;letter-spacing:.08em;text-transform:uppercase;color:#c9d3e2}
header strong{font-family:Georgia,'Source Serif Pro',serif;font-size:26px;font-weight:600}
main{background:#fff;padding:28px 44px 40px;box-shadow:0 1px 4px rgba(19,41,75,.12)}
main h1,main h2,main h3{font-family:Georgia,'Source Serif Pro',serif;color:#13294b;line-height:1.25}
main h1{font-size:28px;margin:0 0 8px}
main h2{font-size:21px;margin:34px 0 10px;padding-bottom:6px;border-bottom:1px solid #cdd3db}
footer{padding:18px 44px 40px;font-size:12px;color:#606a78}
pre.said{background:#f4f6f9;padding:10px 14px;overflow-x:auto;font-size:13px}
a{color:#13294b}
@media print{body{background:#fff}main{box-shadow:none;padding:0}}
@media (max-width:700px){main{padding:18px}.kp .kp-verdict{width:100%}.kp .kp-table{display:block;overflow-x:auto}}
"""
"""Style of the page around them."""
