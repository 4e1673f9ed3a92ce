import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import fc from "fast-check";
import { afterEach, describe, expect, it } from "vitest";
import MarkdownText from "../../../src/ui/rich-text/markdown.tsx";
import { drawnAtOnce, fencedCode, MarkdownChunks } from "../../../src/ui/rich-text/markdown-chunks.ts";

afterEach(cleanup);

const lines = (count: number) => Array.from({ length: count }, (_, index) => `const line${index} = ${index};`).join("\n");
const fence = (code: string, language = "ts") => `\`\`\`${language}\n${code}\n\`\`\``;

describe("[D18] a long answer", () => {
	it("keeps its form above 100,000 characters: code stays code, and what follows is read", () => {
		const { container } = render(<MarkdownText text={`Here **it** is:\n\n${fence(lines(5_000))}\n\nAnd **that** is all.`} />);
		expect(container.querySelectorAll("pre code")).toHaveLength(1);
		expect(container.querySelectorAll("strong")).toHaveLength(2);
		expect(screen.getByRole("button", { name: "Show all 5000 lines" })).toBeTruthy();
	});

	it("of words alone is read to its end, a piece at a time", async () => {
		const { container } = render(<MarkdownText text={"Some **words** of an answer.\n\n".repeat(8_000)} />);
		const begun = container.querySelectorAll("strong").length;
		expect(begun).toBeGreaterThan(100);
		expect(begun).toBeLessThan(8_000);
		await expect.poll(() => container.querySelectorAll("strong").length, { timeout: 8_000 }).toBeGreaterThan(begun);
	});

	it("is cut the same whether it streams in or comes at once, and none of it is lost", () => {
		const piece = fc.constantFrom("a\n", "\n", "- b\n", "```ts\n", "```\n", "  c\n", "> d\n", "x\r", "[e]: f\n", "`", "word ".repeat(900));
		fc.assert(
			fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
				const reader = new MarkdownChunks();
				let text = "";
				for (const more of pieces) {
					text += more;
					reader.read(text);
				}
				const whole = new MarkdownChunks().read(text);
				expect(reader.read(text)).toEqual(whole);
				expect(whole.map((chunk) => chunk.text).join("\n")).toBe(text.replace(/\r\n?/g, "\n"));
			}),
			{ numRuns: 300, examples: [[["x\r", "\n", "```\n", "a\n"]]] },
		);
	});

	it("has a number of pieces that is bounded, however small its paragraphs are", () => {
		const chunks = new MarkdownChunks().read("a\n\n".repeat(300_000));
		expect(chunks.length).toBeLessThan(1_000);
		expect(drawnAtOnce(chunks, 0)).toBeLessThan(1_000);
	});
});

describe("[D18] code in an answer", () => {
	it("says its language, is copied whole, and is folded above 40 lines", async () => {
		const copied: string[] = [];
		Object.defineProperty(navigator, "clipboard", {
			configurable: true,
			value: { writeText: async (text: string) => void copied.push(text) },
		});
		const { container } = render(<MarkdownText text={fence(lines(120), "python title=x")} />);
		expect(screen.getByText("python")).toBeTruthy();
		expect(container.querySelector("pre")?.textContent).toBe(lines(40));
		fireEvent.click(screen.getByRole("button", { name: "Copy code" }));
		expect(copied).toEqual([lines(120)]);
		fireEvent.click(screen.getByRole("button", { name: "Show all 120 lines" }));
		expect(container.querySelector("pre")?.textContent).toBe(lines(120));
		expect(screen.getByRole("button", { name: "Show less" }).getAttribute("aria-expanded")).toBe("true");
	});

	it("is whole on paper", () => {
		const { container } = render(<MarkdownText text={fence(lines(120))} />);
		fireEvent(window, new Event("beforeprint"));
		expect(container.querySelector("pre")?.textContent).toBe(lines(120));
		fireEvent(window, new Event("afterprint"));
		expect(container.querySelector("pre")?.textContent).toBe(lines(40));
	});

	it("of forty lines is not folded, and in a list it is code too", () => {
		const { container } = render(
			<MarkdownText text={`${fence(lines(40))}\n\n- item\n\n  ${fence("x = 1", "py").replaceAll("\n", "\n  ")}`} />,
		);
		expect(screen.queryByRole("button", { name: /Show all/ })).toBeNull();
		expect([...container.querySelectorAll("pre")].map((pre) => pre.textContent)).toEqual([lines(40), "x = 1"]);
		expect(screen.getByText("py")).toBeTruthy();
	});

	it.each([
		["```ts\na\n```", { language: "ts", code: "a" }],
		["~~~~\n~~~\n~~~~\n", { language: "", code: "~~~" }],
		["```\nnot closed\n\n", { language: "", code: "not closed\n\n" }],
		["```", { language: "", code: "" }],
	])("is what stands between its marks: %j", (text, code) => {
		expect(fencedCode(text)).toEqual(code);
	});
});
