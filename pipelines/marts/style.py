"""How the report looks; pure."""

STYLE = """
:root { color-scheme:light }
body { font:15px/1.5 system-ui,sans-serif; max-width:1000px; margin:2rem auto; padding:0 1rem; color:#222;
  background:#fff }
h1 { font-size:1.5rem; margin:0 }
h2 { font-size:1.15rem; margin:2rem 0 .4rem; border-bottom:1px solid #ddd }
h3 { font-size:1rem; margin:1.2rem 0 .2rem }
p.headline { font-size:1.9rem; margin:.6rem 0 0; font-weight:600 }
p.note,td.note { color:#666; font-size:.88rem; margin:.2rem 0 }
table { border-collapse:collapse; width:100%; font-size:.88rem; margin:.4rem 0 }
th { text-align:left; border-bottom:2px solid #bbb }
th,td { padding:.25rem .5rem; vertical-align:top }
td { border-bottom:1px solid #eee }
td.w { overflow-wrap:anywhere }
.n { text-align:right }
td.n { white-space:nowrap }
small { color:#666 }
p.headline small { font-size:1rem; font-weight:400 }
.caveat { background:#fff8e1; border-left:4px solid #b08900; padding:.4rem .8rem; margin:.4rem 0 }
.alert { background:#fdecea; border-left:4px solid #c62828; padding:.4rem .8rem; margin:.4rem 0 }
.calm { background:#eef6ee; border-left:4px solid #2e7d32; padding:.4rem .8rem; margin:.4rem 0 }
.bad { color:#c62828; font-weight:600 }
.words { background:#f6f6f6; padding:.4rem .8rem; margin:.3rem 0; overflow-wrap:anywhere }
svg.trend { width:100%; height:auto; font:11px system-ui,sans-serif }
svg text { fill:#666 }
.grid { stroke:#e4e4e4 }
.band { fill:#f6caca; opacity:.7 }
.line { fill:none; stroke:#b02a2a; stroke-width:2 }
.night { fill:#b02a2a }
.tenants { display:grid; grid-template-columns:1fr 1fr; gap:0 1.5rem }
.tenants svg.trend { font-size:17px }
.alarm { fill:#d50000; stroke:#fff }
.break line { stroke:#555; stroke-dasharray:4 3 }
p,h3,td.t { overflow-wrap:anywhere }
@media (max-width:760px) {
  body { margin:1rem auto; padding:0 .6rem }
  .tenants { grid-template-columns:1fr }
  table { display:block; overflow-x:auto; font-size:.8rem }
  th,td { padding:.2rem .3rem }
}
"""
