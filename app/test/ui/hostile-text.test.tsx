import { cleanup, fireEvent, render } from "@testing-library/react";
import { afterEach, describe, expect, it } from "vitest";
import { UserMessage } from "../../src/ui/conversation/user-message.tsx";
import MarkdownText from "../../src/ui/rich-text/markdown.tsx";
import { isReadable } from "../../src/ui/rich-text/markdown-blocks.ts";
import { ThoughtRow } from "../../src/ui/run/tool-call-row.tsx";
import { parseCsv } from "../../src/ui/text/csv.ts";
import { countCalls } from "../support/count-calls.ts";
import { at, ended } from "./stories.ts";

afterEach(cleanup);

const nested = (depth: number) => Array.from({ length: depth }, (_, level) => `${"  ".repeat(level)}- x`).join("\n");

/** What makes a reader of markdown stand still, or its stack run over. */
const hostile: Readonly<Record<string, string>> = {
	quotes: ">".repeat(50_000),
	"few quotes": ">".repeat(20),
	"quotes line by line": `${">".repeat(200)}a\n`.repeat(200),
	lists: nested(300),
	"lists in a line": "- ".repeat(20_000),
	brackets: "[".repeat(50_000),
	"brackets line by line": "[a\n".repeat(30_000),
	links: "[a".repeat(5_000) + "](b)".repeat(5_000),
	stars: "a**b".repeat(20_000),
	"stars in stars": "*a ".repeat(500) + "a*".repeat(500),
	"stars and stars": "*a **b ".repeat(8_000),
	footnotes: "[^a]".repeat(20_000),
	"twenty lists a line": `${"- ".repeat(20)}a\n`.repeat(300),
	definitions: Array.from({ length: 5_000 }, (_, index) => `[a${index}]: x`).join("\n"),
	"code that does not end": `\`\`\`\n${"[a](".repeat(20_000)}`,
	"code that ends unseen": `\`\`\`\ncode\r\`\`\`\r${"[a".repeat(5_000)}${"](b)".repeat(5_000)}`,
	ticks: Array.from({ length: 400 }, (_, length) => "`".repeat(length)).join(" "),
	"a wide table": `${"|a".repeat(3_000)}|\n${"|-".repeat(3_000)}|\n${"|a".repeat(3_000)}|`,
	lines: "a\n".repeat(45_000),
	"code again and again": "```ts\na\n```\n".repeat(10_000),
	"code in lists": "- ```\n  a\n  ```\n\nx\n\n".repeat(6_000),
	"paragraphs without end": "a\n\n".repeat(300_000),
	"a long line": "x".repeat(2_000_000),
};

/** Twice as many as the worst of them needs. Markdown that is parsed although it nests needs a hundred times as many. */
const MOST_CALLS = 5_000_000;

describe("markdown that is made to stop the page", () => {
	it.each(Object.keys(hostile))("is shown in a bounded number of steps, and without a fault: %s", (name) => {
		let shown: string | null = "";
		const calls = countCalls(() => {
			shown = render(<MarkdownText text={hostile[name] ?? ""} />).container.textContent;
		});
		expect(calls).toBeLessThan(MOST_CALLS);
		if (name !== "definitions") expect(shown).not.toBe("");
	});

	it("stands as it is where the reader would break, and its neighbours are read", () => {
		const { container } = render(<MarkdownText text={`before **b**\n\nx${"[".repeat(3_000)} deep\n\nafter **b**`} />);
		expect(container.querySelectorAll("strong")).toHaveLength(2);
		expect(container.textContent).toContain(`x${"[".repeat(3_000)} deep`);
	});

	it.each([
		[
			"a long list",
			Array.from({ length: 150 }, (_, index) => `- **item ${index}**: \`code\` and [a link](https://x.example)`).join("\n"),
			true,
		],
		["a table", `| a | b |\n|---|---|\n${"| `x` | **y** |\n".repeat(150)}`, true],
		["five levels", nested(5), true],
		["a long file", `\`\`\`ts\n${"const [a] = b;\n".repeat(5_000)}\`\`\``, true],
		["what only looks like code", `\`\`\`x\`\n${"[".repeat(20_000)}`, false],
		["what is full of brackets", "[".repeat(2_000), false],
		["what comes in one piece", "x ".repeat(10_000), false],
	])("is read where a person wrote it: %s", (_, text, readable) => {
		expect(isReadable(text)).toBe(readable);
	});
});

describe("a character that turns the order of what follows", () => {
	const turned = "before \u202Egnp.exe\u202C after \u2067x\u2069";
	const shown = "before ⟨U+202E⟩gnp.exe⟨U+202C⟩ after ⟨U+2067⟩x⟨U+2069⟩";

	it("is written out in a message, in its folded beginning and in a thought", () => {
		const detail = ended({}, undefined);
		const { container, unmount } = render(<UserMessage detail={{ ...detail, request: { ...detail.request, prompt: turned } }} />);
		expect(container.querySelector(".pre")?.textContent).toBe(shown);
		unmount();
		const thought = { kind: "thought", key: "1", from: at(0), to: at(1), text: turned } as const;
		const row = render(<ThoughtRow item={thought} live={false} />).container.querySelector("details");
		if (row === null) throw new Error("there is a row");
		row.open = true;
		fireEvent(row, new Event("toggle"));
		expect(row.querySelector("p")?.textContent).toBe(shown);
	});

	it("is written out in an agent's words, its links, its inline code and what is shown unread", () => {
		const { container } = render(<MarkdownText text={`${turned}\n\n[${turned}](https://x.example) \`${turned}\` ![${turned}](y)`} />);
		expect(container.textContent).not.toMatch(/[\u202A-\u202E\u2066-\u2069]/u);
		expect(container.textContent?.split(shown)).toHaveLength(5);
		cleanup();
		const unread = render(<MarkdownText text={`${"[".repeat(3_000)}${turned}`} />);
		expect(unread.container.textContent).toContain(shown);
	});

	it("leaves the marks and joiners of other scripts as they are", () => {
		const persian = "می\u200Cخواهم \u200F«سلام»\u00A0!";
		expect(render(<MarkdownText text={persian} />).container.textContent).toBe(persian);
	});
});

describe("a link of an agent", () => {
	it.each([
		"javascript:alert(1)",
		"JaVaScRiPt:alert(1)",
		"data:text/html,x",
		"//elsewhere.example",
		"/open/key",
		"#/new",
		"vbscript:x",
		"blob:x",
		"file:///etc/passwd",
	])("leads nowhere within the page or to a program: %s", (address) => {
		const { container } = render(<MarkdownText text={`[press](${address}) <${address}>\n\n[ref]\n\n[ref]: ${address}`} />);
		expect(container.querySelector("a")).toBeNull();
		expect(container.textContent).toContain("press");
	});

	it("says where it leads, and takes nothing of the page along", () => {
		const { container } = render(<MarkdownText text="[bank](https://elsewhere.example/x) mail@x.example" />);
		const [link, mail] = container.querySelectorAll("a");
		expect(link?.getAttribute("title")).toBe("https://elsewhere.example/x");
		expect(link?.getAttribute("rel")).toContain("noopener");
		expect(link?.getAttribute("rel")).toContain("noreferrer");
		expect(mail?.getAttribute("href")).toBe("mailto:mail@x.example");
	});
});

describe("a table of an agent", () => {
	it("has at most a hundred columns and says so", () => {
		const [row = []] = parseCsv("a,".repeat(1_000_000), 500);
		expect([row.length, row.at(-1)]).toEqual([101, "…"]);
		expect(parseCsv("a,".repeat(99), 1)[0]).toHaveLength(100);
	});
});
