import { describe, expect, it } from "vitest";
import { citationsOfNothing } from "../house/document-citations.ts";
import { headingAnchors } from "../house/heading-anchors.ts";

const files = [
	{ path: "docs/protocol.md", text: "# The protocol\n\n## A run's end\n\n### `session.start`\n" },
	{ path: "docs/decisions/0002-how-a-run-ends.md", text: "# How a run ends\n\nSee [the protocol](../protocol.md#a-runs-end).\n" },
	{ path: "SECURITY.md", text: "# Security\n" },
];
const cited = (path: string, text: string) => citationsOfNothing([...files, { path, text }]);

describe("citations of documents", () => {
	it.each([
		["contracts/src/a.ts", "/** A status (docs/protocol.md#a-runs-end), see decision 0002 and docs/decisions/0002-how-a-run-ends.md. */"],
		["contracts/src/a.ts", 'const pattern = "docs/report.md";'],
		["contracts/src/a.ts", "export const CONTRACT_VERSION = 1; // a seed of random numbers"],
		["README.md", "The [end of a run](docs/protocol.md#a-runs-end) and [security](SECURITY.md)."],
		["scripts/docs/errors.template.md", "[the end](protocol.md#a-runs-end)"],
	])("accept in %s: %s", (path, text) => {
		expect(cited(path, text)).toEqual([]);
	});

	it.each([
		["contracts/src/a.ts", "/** A status (CONTRACT, Task snapshot). */", "cites CONTRACT, which is not in the repository"],
		["contracts/src/a.ts", "// As seed 004 has it.", "cites seed 004, which is not in the repository"],
		["contracts/test/a.test.ts", 'it("says it in the seed\'s words")', "cites the seed's, which is not in the repository"],
		["docs/decisions/0001-a.md", "ARCHITECTURE asks for it.", "cites ARCHITECTURE, which is not in the repository"],
		[
			"contracts/src/a.ts",
			"/** A status (docs/protocol.md#a-runs-beginning). */",
			"cites docs/protocol.md#a-runs-beginning, which is no section",
		],
		["README.md", "[the end](docs/protocol.md#the-end)", "cites docs/protocol.md#the-end, which is no section"],
		["contracts/src/a.ts", "/** A status (docs/contract.md). */", "cites docs/contract.md, which does not exist"],
		["contracts/src/a.ts", "// See decision 0099.", "cites decision 0099, which does not exist"],
	])("refuse in %s: %s", (path, text, problem) => {
		expect(cited(path, text)).toEqual([`${path}:1 ${problem}`]);
	});

	it("know the anchors of headings", () => {
		expect(headingAnchors(files[0]?.text ?? "")).toEqual(["the-protocol", "a-runs-end", "sessionstart"]);
	});
});
