import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { readProvidersFile } from "../../../src/providers/acp/providers-file.ts";

const page = fileURLToPath(new URL("../../../../docs/settings.md", import.meta.url));

it("[D12] the providers.json that the documents show is one that the bridge takes", () => {
	const [, example = ""] = /```json\n(\{\s*"agents"[^`]+)```/.exec(readFileSync(page, "utf8")) ?? [];
	const folder = mkdtempSync(join(tmpdir(), "documented agents-"));
	try {
		const file = join(folder, "providers.json");
		writeFileSync(file, example);
		const { agents, problems } = readProvidersFile(file);
		expect(problems).toEqual([]);
		expect(agents.map(({ id }) => id)).toEqual(["my-agent", "packaged"]);
	} finally {
		rmSync(folder, { recursive: true, force: true });
	}
});
