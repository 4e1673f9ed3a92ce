import { afterEach, describe, expect, it } from "vitest";
import { findHits, MOST_HITS } from "../../../src/ui/find/find-hits.ts";

afterEach(() => document.body.replaceChildren());

function hits(html: string, wanted: string): readonly string[] {
	const box = document.createElement("div");
	box.innerHTML = html;
	document.body.append(box);
	return findHits(box, wanted).map(String);
}
const answer = (html: string) => `<article class="turn"><div class="md">${html}</div></article>`;

describe("the places of a text in a conversation", () => {
	it("are in messages, answers and names of files, in the order of reading", () => {
		const message = `<div class="me"><p class="pre">A report, please</p><span class="file-name">report.csv</span></div>`;
		const files = `<article class="turn"><ul class="got"><li><button class="link">Report.md</button></li></ul></article>`;
		expect(hits(message + answer("<p>The report is done</p>") + files, "REPORT")).toEqual(["report", "report", "report", "Report"]);
	});

	it("are in names of rejected, required and other files, and not in the link that opens a replaced version", () => {
		const got = `<ul class="got"><li><code class="cut">bad.md</code><a class="link">Open one.md</a></li></ul>`;
		const required = `<li><code class="cut">*.md</code><span class="muted cut names">a.md, b.md</span></li>`;
		const lists = `${got}<ul class="req">${required}<li class="muted"><code class="cut">extra.md</code></li></ul>`;
		expect(hits(`<article class="turn">${lists}</article>`, ".md")).toHaveLength(5);
	});

	it("may be partly in bold or code, and never go on in another paragraph, cell or line of a list", () => {
		expect(hits(answer("<p>the <strong>quar</strong>terly <code>figures</code></p>"), "quarterly figures")).toEqual(["quarterly figures"]);
		expect(hits(answer("<p>one</p><p>two</p><table><tr><td>on</td><td>e</td></tr></table>"), "onetwo")).toEqual([]);
		expect(hits(answer("<table><tr><td>on</td><td>e</td></tr></table><ul><li>on</li><li>e</li></ul>"), "one")).toEqual([]);
	});

	it("are found without case and accents, and span what is shown of them", () => {
		expect(hits(answer("<p>Über Straße und cafe\u0301</p>"), "uber strasse")).toEqual(["Über Straße"]);
		expect(hits(answer("<p>cafe\u0301 noir</p>"), "cafe")).toEqual(["cafe\u0301"]);
	});

	it("are not in words of buttons, nor in those for screen readers alone, nor outside of the conversation", () => {
		const code = `<div class="code-block"><div class="code-head"><span>copy</span></div><pre><code>copy that</code></pre><button>copy</button></div>`;
		expect(hits(`<p>copy</p>${answer(`${code}<span class="vh">copy</span>`)}`, "copy")).toEqual(["copy"]);
	});

	it("are text and never markup or a pattern", () => {
		expect(hits(answer("<p>a &lt;b&gt; .* c</p>"), "<b>")).toEqual(["<b>"]);
		expect(hits(answer("<p>a &lt;b&gt; .c abc</p>"), ".")).toEqual(["."]);
		expect(hits(answer("<p>anything</p>"), "  ")).toEqual([]);
	});

	it("are bounded", () => {
		expect(hits(answer(`<p>${"x".repeat(3 * MOST_HITS)}</p>`), "x")).toHaveLength(MOST_HITS);
	});
});
