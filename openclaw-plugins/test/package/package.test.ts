import { execFile } from "node:child_process";
import { copyFileSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { publint } from "publint";
import { formatMessage } from "publint/utils";
import { build } from "rolldown";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import config from "../../rolldown.config.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const Package = z.object({ files: z.array(z.string()), openclaw: z.object({ extensions: z.array(z.string()) }) });
const Packed = z.tuple([z.object({ files: z.array(z.object({ path: z.string() })) })]);

async function builtPackage() {
	const folder = await temporaryFolder();
	for (const name of ["package.json", "openclaw.plugin.json", "README.md", "LICENSE"])
		copyFileSync(join(root, name), join(folder.path, name));
	await build({ ...config, cwd: root, output: { ...config.output, dir: join(folder.path, "dist") } });
	return folder;
}

describe("the published package", () => {
	it("holds what OpenClaw loads, and passes publint", async () => {
		await using folder = await builtPackage();
		const { stdout } = await promisify(execFile)("npm", ["pack", "--dry-run", "--json"], { cwd: folder.path });
		const packed = Packed.parse(JSON.parse(stdout))[0].files.map(({ path }) => path);
		const manifest = Package.parse(JSON.parse(readFileSync(join(folder.path, "package.json"), "utf8")));
		const built = readdirSync(join(folder.path, "dist")).map((name) => `dist/${name}`);
		expect(packed.sort()).toEqual(["LICENSE", "README.md", "openclaw.plugin.json", "package.json", ...built].sort());
		for (const extension of manifest.openclaw.extensions) expect(packed).toContain(extension.replace("./", ""));
		const { messages } = await publint({ pkgDir: folder.path, strict: true, pack: false });
		expect(messages.map((message) => formatMessage(message, {}))).toEqual([]);
	}, 30_000);

	it("loads without any other package, under the id of its manifest", async () => {
		await using folder = await builtPackage();
		// Its own process: nothing of this workspace is there to be found.
		writeFileSync(join(folder.path, "load.mjs"), 'import plugin from "./dist/index.js"; console.log(plugin.id, typeof plugin.register);');
		const { stdout } = await promisify(execFile)(process.execPath, ["load.mjs"], { cwd: folder.path });
		const manifest = z.object({ id: z.string() }).parse(JSON.parse(readFileSync(join(folder.path, "openclaw.plugin.json"), "utf8")));
		expect(stdout).toBe(`${manifest.id} function\n`);
	}, 30_000);
});
