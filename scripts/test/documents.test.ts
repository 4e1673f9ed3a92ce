import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { ErrorCode, type JsonSchema, methods, openRpcDocument, RejectionReason, UpdateKind } from "../../contracts/src/index.ts";
import { generatedDocuments } from "../docs/generated-documents.ts";
import { schemaText } from "../docs/json-schema-text.ts";
import { headingAnchors } from "../house/heading-anchors.ts";
import { repositoryFiles } from "../house/source-file.ts";
import { repositoryRoot } from "../repository.ts";

const document = (name: string) => readFileSync(join(repositoryRoot, "docs", name), "utf8");

describe("docs/errors.md", () => {
	const documented = [...document("errors.md").matchAll(/^\| `([A-Z_]+)` \|/gm)].map(([, code = ""]) => code);

	it("has every error code, once, and no other", () => {
		expect(documented.toSorted()).toEqual([...ErrorCode.options].sort());
	});

	it("has no code that nothing ever answers with", () => {
		const sources = repositoryFiles(repositoryRoot).filter(({ path }) => /^(?:bridge|openclaw-plugins)\/src\//.test(path));
		const unused = documented.filter((code) => !sources.some(({ text }) => text.includes(`"${code}"`)));
		expect(unused).toEqual([]);
	});
});

describe("docs/protocol.md", () => {
	const page = document("protocol.md");

	it("has every method, update kind, rejection reason and schema", () => {
		const headings = new Set([...page.matchAll(/^### `?([\w.]+)`?$/gm)].map(([, heading]) => heading));
		expect(Object.keys(methods).filter((name) => !headings.has(name))).toEqual([]);
		expect(Object.keys(openRpcDocument().components.schemas).filter((name) => !headings.has(name))).toEqual([]);
		expect(UpdateKind.options.filter((kind) => !page.includes(`| \`"${kind}"\` |`))).toEqual([]);
		expect(RejectionReason.options.filter((reason) => !page.includes(`\`${reason}\``))).toEqual([]);
	});

	it("has no placeholder left, and no link to a place it does not have", () => {
		expect(page).not.toMatch(/\{\{|\}\}/);
		const anchors = new Set(headingAnchors(page));
		const links = [...page.matchAll(/\]\(#([^)]+)\)/g)].map(([, anchor = ""]) => anchor);
		expect(links.filter((anchor) => !anchors.has(anchor))).toEqual([]);
	});

	it("has each heading once, so that a link to a section leads to that section", () => {
		const anchors = headingAnchors(page);
		expect(anchors.filter((anchor, index) => anchors.indexOf(anchor) !== index)).toEqual([]);
	});
});

describe("docs/settings.md", () => {
	it("has every variable that the bridge or the app knows, and no other", () => {
		const sources = repositoryFiles(repositoryRoot).filter(({ path }) => /^(?:bridge|app|platform)\/src\/.*\.ts$/.test(path));
		const known = new Set(sources.flatMap(({ text }) => text.match(/\bXWORKMATE_[A-Z_]+\b/g) ?? []));
		const documented = new Set(document("settings.md").match(/\bXWORKMATE_[A-Z_]+\b/g));
		expect([...known].toSorted()).toEqual([...documented].toSorted());
	});
});

describe("the generated documents", () => {
	it("are the same text each time", () => {
		expect([...generatedDocuments()]).toEqual([...generatedDocuments()]);
	});

	const forms: [JsonSchema, string][] = [
		[{ $ref: "#/components/schemas/Snapshot" }, "[Snapshot](#snapshot)"],
		[{ type: "array", items: { enum: ["a", "b"] } }, 'list of `"a"`, `"b"`'],
		[{ type: "string", minLength: 1, maxLength: 9 }, "string (not empty, at most 9 characters)"],
		[{ anyOf: [{ const: true }, { type: "null" }] }, "`true` or null"],
		[{ type: "object", properties: { a: { type: "string" }, b: {} }, required: ["b"] }, "{ `a?`: string; `b`: anything }"],
		[{ type: "object", additionalProperties: { type: "string" } }, "object with values string"],
	];

	it.each(forms)("say %j as %s", (schema, text) => {
		expect(schemaText(schema)).toBe(text);
	});
});
