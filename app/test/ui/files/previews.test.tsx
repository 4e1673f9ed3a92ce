import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import fc from "fast-check";
import { afterEach, describe, expect, it, vi } from "vitest";
import { PreviewBody } from "../../../src/ui/files/preview-body.tsx";
import { highlightCode, languageOf } from "../../../src/ui/rich-text/highlight-code.ts";
import { previewKind } from "../../../src/ui/text/preview-kind.ts";
import { InApp } from "../in-app.tsx";

afterEach(() => {
	cleanup();
	vi.unstubAllGlobals();
});

describe("a program in colours", () => {
	it("is the same text, whatever stands in it", () => {
		const pieces = fc.constantFrom("const ", '"', "'", "`${", "/*", "*/", "//", "\n", "<a b=", "\\", "#", "'''", "{", "}", "é🎉", "0x1f");
		const text = fc.array(fc.oneof(pieces, fc.string({ maxLength: 5 }))).map((parts) => parts.join(""));
		fc.assert(
			fc.property(text, fc.constantFrom("ts", "py", "html", "css", "sh", "json", "yaml", "md", "sql"), (program, language) => {
				expect(
					highlightCode(program, language)
						.map(([piece]) => piece)
						.join(""),
				).toBe(program);
			}),
			// Pieces of one kind that spaces divide: chance alone does not find them each time.
			{ numRuns: 60, examples: [["<a> b </a> c\n", "html"]] },
		);
	});

	it("tells keywords, texts, numbers and comments apart", () => {
		const kinds = Object.fromEntries(highlightCode("const a = 'b' + 12; // c", "ts").map(([piece, kind]) => [piece.trim(), kind]));
		expect(kinds).toMatchObject({ const: "key", "'b'": "str", "12": "num", "// c": "com" });
	});

	it.each([
		["a.ts", "ts"],
		["b/c.MJS", "js"],
		["Makefile", "makefile"],
		["constructor", undefined],
		["a.unknown", undefined],
		["a", undefined],
	])("%s is of the language %s", (path, language) => expect(languageOf(path)).toBe(language));
});

describe("a file", () => {
	it.each([
		["a.ts", "video/mp2t", "text"],
		["a.md", "application/octet-stream", "markdown"],
		["a.tsv", "text/tab-separated-values", "csv"],
		["a.svg", "image/svg+xml", "html"],
		["a.tiff", "image/tiff", "none"],
		["a.xml", "application/xml", "text"],
		["LICENSE", "application/octet-stream", "unknown"],
		["a.zip", "application/zip", "none"],
		["a.ogv", "video/ogg", "video"],
	])("%s, %s, is shown as %s", (relativePath, mediaType, kind) => expect(previewKind({ relativePath, mediaType })).toBe(kind));

	it("that the browser cannot show says so and can be downloaded", async () => {
		vi.stubGlobal("fetch", async () => new Response("x"));
		const given = { relativePath: "a.png", name: "a.png", size: 1, url: "/files/a.png", downloadUrl: "/files/a.png?download=1" };
		render(<PreviewBody kind="image" {...given} />, { wrapper: new InApp().wrapper });
		// It is loaded a second time, because a single request may have failed.
		fireEvent.error(screen.getByRole("img"));
		fireEvent.error(await screen.findByRole("img"));
		expect(await screen.findByText(/Can’t preview this file/)).toBeTruthy();
		expect(screen.getByRole("link", { name: "Download" }).getAttribute("href")).toBe("/files/a.png?download=1");
	});

	it("that somebody made as a page is framed without any right", async () => {
		vi.stubGlobal("fetch", async () => new Response("x"));
		const given = { relativePath: "a.html", name: "a.html", size: 1, url: "about:blank", downloadUrl: "about:blank" };
		render(<PreviewBody kind="html" {...given} />, { wrapper: new InApp().wrapper });
		expect((await screen.findByTitle("Preview of a.html")).getAttribute("sandbox")).toBe("");
	});

	it.each(["html", "pdf"] as const)("that the app can't serve says why in words, as %s, and no frame shows the refusal", async (kind) => {
		vi.stubGlobal("navigator", { ...navigator, pdfViewerEnabled: true });
		const error = { code: "FILE_NOT_FOUND", message: "The file is gone.", fix: "Download it again." };
		vi.stubGlobal("fetch", async () => Response.json({ error }, { status: 404 }));
		const given = { relativePath: "a", name: "a", size: 1, url: "/files/a", downloadUrl: "/files/a?download=1" };
		render(<PreviewBody kind={kind} {...given} />, { wrapper: new InApp().wrapper });
		expect(await screen.findByText(/The file is gone/)).toBeTruthy();
		expect(document.querySelector("iframe")).toBeNull();
	});
});
