import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ContractError } from "@xworkmate/contracts";
import { expect, it } from "vitest";
import { z } from "zod";
import { fileMark } from "../../src/auth/file-mark.ts";
import { KeptFile } from "../../src/auth/kept-file.ts";

it("a file that a person has edited is read again, also one of the same size; one that others may open is refused", async () => {
	const folder = mkdtempSync(join(tmpdir(), "kept file-"));
	try {
		const path = join(folder, "kept.json");
		const empty = { version: 1, word: "" } as const;
		const schema = z.strictObject({ version: z.literal(1), word: z.string() });
		const refusal = () => new ContractError("CHANNEL_UNAVAILABLE");
		const file = new KeptFile<z.infer<typeof schema>>({ path, schema, empty, code: "KEPT", again: "write it again", refusal });
		const write = (word: string) => writeFileSync(path, JSON.stringify({ version: 1, word }), { mode: 0o600 });
		expect(file.read()).toMatchObject({ content: { word: "" } });
		for (const word of ["one", "two", "six"]) {
			write(word);
			expect(file.read()).toMatchObject({ content: { word } });
			// From here on it is known by its times.
			await expect.poll(() => fileMark(path), { interval: 10 }).toBeDefined();
			expect(file.read()).toMatchObject({ content: { word } });
		}
		// It was known by its times, and is edited.
		write("ten");
		await expect.poll(() => fileMark(path), { interval: 10 }).toBeDefined();
		expect(file.read()).toMatchObject({ content: { word: "ten" } });
		chmodSync(path, 0o644);
		expect(file.read()).toMatchObject({ kind: "unusable", problem: { code: "KEPT_EXPOSED" } });
	} finally {
		rmSync(folder, { recursive: true });
	}
});
