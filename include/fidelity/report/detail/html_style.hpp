// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>

namespace fidelity::detail {

/// Of the page around the pictures, whose colours svg_style defines. Desktop, phone and paper; light and dark.
constexpr std::string_view html_style =
    R"(:root{color-scheme:light dark;--ok:#00694b;--miss:#b3261e;--open:#7a5200;--soft:#f4f5f6}
@media screen and (prefers-color-scheme:dark){:root{--ok:#00785a;--miss:#c23a31;--open:#8a6100;--soft:#202327}}
*{box-sizing:border-box}html{background:var(--ground)}
body{max-width:1000px;margin:0 auto;padding:20px;font:16px/1.5 system-ui,sans-serif;color:var(--ink);overflow-wrap:break-word}
h1{font-size:1.5rem;line-height:1.25;margin:0 0 12px}h2{font-size:1.15rem;margin:32px 0 8px;border-bottom:1px solid var(--grid)}
p{margin:8px 0}a{color:var(--p1)}.remark{color:var(--faint);font-size:.875rem}
.banner{color:#fff;border-radius:6px;padding:10px 16px}.banner b{font-size:1.3rem;letter-spacing:.03em}.banner p{margin:2px 0}
.green{background:var(--ok)}.red{background:var(--miss)}.amber{background:var(--open)}
td .badge{margin-left:12px}.badge{color:#fff;border-radius:4px;padding:1px 8px;font-size:.875rem;font-weight:600;white-space:nowrap}
dl{display:grid;grid-template-columns:repeat(auto-fill,minmax(210px,1fr));gap:10px;margin:14px 0}
dl div{background:var(--soft);border-radius:6px;padding:8px 12px;min-width:0;overflow-wrap:anywhere}dt{font-size:.875rem;color:var(--faint)}
dd{margin:0;font-size:1.15rem;font-weight:600}dd small{display:block;font-size:.8125rem;font-weight:400}
.scroll{overflow-x:auto}table{border-collapse:collapse;font-size:.9rem;width:100%}
th,td{text-align:left;padding:5px 12px 5px 0;border-bottom:1px solid var(--grid);vertical-align:top}
th{font-weight:600}.num{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}
figure{margin:12px 0}svg{display:block;max-width:100%;height:auto}.narrow{display:none}.defs{position:absolute}
.bar{fill:var(--p1);fill-opacity:.75}.other{fill:var(--p2);fill-opacity:.6}.seen{stroke:var(--ink);stroke-width:2}
.cell{fill:var(--p1)}.mass,.cell~text{pointer-events:none}.mass{fill:none;stroke:var(--p2);stroke-width:2.5}.small{font-size:11px}
.hair{stroke:var(--ink);stroke-width:1;stroke-dasharray:2 2;pointer-events:none}.picked{stroke-width:3!important;stroke-opacity:1!important}
.readout{position:fixed;z-index:2;pointer-events:none;background:var(--ground);color:var(--ink);border:1px solid var(--faint);
border-radius:4px;padding:4px 8px;font-size:.875rem;line-height:1.35;white-space:pre-line;max-width:80vw}
summary{cursor:pointer;margin:8px 0}
@media (max-width:640px){body{padding:12px;font-size:15px}.wide{display:none}.narrow{display:block}dl{grid-template-columns:1fr 1fr}
td .badge{margin-left:0}table.stack thead{display:none}table.stack td{display:block;border:0;padding:1px 0;text-align:left;white-space:normal}
table.stack tr{display:block;padding:8px 0;border-bottom:1px solid var(--grid)}
table.stack td[data-head]::before{content:attr(data-head) ": ";color:var(--faint)}}
@media print{body{max-width:none;font-size:11pt;padding:0}.banner,.badge{print-color-adjust:exact;-webkit-print-color-adjust:exact}
figure,tr,dl div{break-inside:avoid}h2{break-after:avoid}.readout{display:none}}
)";

/// Shows values under the pointer: of lines by the place in the drawn path, of marks by their title. The page is
/// complete without it.
constexpr std::string_view html_script =
    R"((()=>{'use strict';
const box=document.createElement('div');box.className='readout';box.hidden=true;document.body.append(box);
const svgns='http://www.w3.org/2000/svg',hair=document.createElementNS(svgns,'path');hair.setAttribute('class','hair');
const known=new WeakMap();let picked=null;
for(const t of document.querySelectorAll('svg rect title')){t.parentNode.dataset.tip=t.textContent;t.remove()}
const pair=(e,k)=>e.dataset[k].split(' ').map(Number);
function points(path){let p=known.get(path);if(!p){p=[];
for(const m of path.getAttribute('d').matchAll(/([ML])([-\d.]+) ([-\d.]+)/g))p.push([+m[2],+m[3],m[1]==='M']);known.set(path,p)}return p}
function at(path,x){const p=points(path);let a=0,b=p.length;while(a<b){const m=(a+b)>>1;p[m][0]<x-.5?a=m+1:b=m}
let low=1/0,high=-1/0,i=a;for(;i<p.length&&p[i][0]<=x+.5;++i){low=Math.min(low,p[i][1]);high=Math.max(high,p[i][1])}
if(low<=high)return[low,high];
if(a>0&&a<p.length&&!p[a][2]){const[l,r]=[p[a-1],p[a]],y=l[1]+(r[1]-l[1])*(x-l[0])/(r[0]-l[0]);return[y,y]}return null}
function time(svg,share){const d=svg.dataset,length=+d.length,step=length/1000;
if(d.utc!==undefined)return new Date(+d.utc+1000*share*length).toISOString().replace('T',' ').slice(0,step<1?23:19)+' UTC';
return number(+d.begin+share*length,step)+' s'}
function number(v,step){const n=Math.floor(-Math.log10(step));if(!isFinite(n))return String(v);
return n>12||Math.abs(v)>=1e15?v.toPrecision(6):n>=0?v.toFixed(n):(Math.round(v/10**-n)*10**-n).toFixed(0)}
function hide(){box.hidden=true;hair.remove();if(picked)picked.classList.remove('picked');picked=null}
function show(e,text){box.textContent=text;box.hidden=false;const w=box.offsetWidth,h=box.offsetHeight;
box.style.left=Math.max(2,e.clientX+16+w>innerWidth?e.clientX-w-12:e.clientX+16)+'px';
box.style.top=Math.max(2,e.clientY+18+h>innerHeight?e.clientY-h-12:e.clientY+18)+'px'}
function move(e){hide();const tip=e.target.closest('[data-tip]');if(tip)return show(e,tip.dataset.tip);
const svg=e.target.closest('svg.values');if(!svg)return;
const r=svg.getBoundingClientRect(),v=svg.viewBox.baseVal,x=(e.clientX-r.left)*v.width/r.width,y=(e.clientY-r.top)*v.height/r.height;
for(const g of svg.querySelectorAll('g.plot')){const[x0,x1]=pair(g,'x'),[y0,y1]=pair(g,'y'),[top,bottom]=pair(g,'v');
if(x<x0||x>x1||y<y0||y>y1)continue;
const scale=(bottom-top)/(y1-y0),value=p=>number(top+(p-y0)*scale,Math.abs(scale)/100),lines=[...g.querySelectorAll('path[data-name]')];
let rows=[];for(const l of lines){const s=at(l,x);if(s)rows.push([l,s,Math.abs((s[0]+s[1])/2-y)])}
if(lines.length>6&&rows.length){rows.sort((a,b)=>a[2]-b[2]);rows=rows.slice(0,1);picked=rows[0][0];picked.classList.add('picked')}
hair.setAttribute('d','M'+x.toFixed(1)+' '+y0+'V'+y1);svg.append(hair);
show(e,time(svg,(x-x0)/(x1-x0))+rows.map(([l,s])=>'\n'+l.dataset.name+': '+(s[1]-s[0]<.02?value(s[0]):value(s[1])+' to '+value(s[0]))).join('')
+(lines.length&&!rows.length?'\nno value':''));return}}
addEventListener('pointermove',move);addEventListener('pointerdown',move);addEventListener('scroll',hide,{passive:true})})();
)";

}  // namespace fidelity::detail
