import { mkdir, mkdtemp, readdir, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { systemErrorCode } from "@xworkmate/platform/errors";
import { describe, expect, it } from "vitest";
import { placeIntegration } from "../../../src/tools/integrations/place-integration.ts";
import { demo, openHome } from "./home-under-test.ts";

async function scene() {
	const path = await mkdtemp(join(tmpdir(), "place-integration-"));
	const tools = join(path, "tools");
	const place = (...paths: readonly string[]) =>
		placeIntegration(
			tools,
			demo,
			paths.map((each) => ({ path: each, text: "" })),
		);
	return { tools, place, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) };
}

describe("a new integration", () => {
	it("is written in place of an empty folder, and of nothing else", async () => {
		await using s = await scene();
		await mkdir(join(s.tools, "demo"), { recursive: true });
		await s.place("tools.ts");
		await expect(s.place("tools.ts")).rejects.toMatchObject({
			code: "INVALID_PARAMS",
			detail: "An integration named demo already exists.",
		});
		for (const other of ["file", "link"]) {
			await rm(join(s.tools, "demo"), { recursive: true });
			if (other === "file") await writeFile(join(s.tools, "demo"), "");
			else await symlink(s.tools, join(s.tools, "demo"));
			await expect(s.place("tools.ts")).rejects.toMatchObject({
				code: "INVALID_PARAMS",
				detail: "The name demo is already taken by something that is not a folder.",
				fix: `Rename or delete ${join(s.tools, "demo")} first.`,
			});
		}
		expect(await readdir(s.tools)).toEqual(["demo"]);
	});

	it("has the error of a file system that allows no change, if nothing else has its name", async () => {
		await using s = await scene();
		const denied = Object.assign(new Error("not permitted"), { code: "EPERM" });
		const file = { path: "tools.ts", text: "" };
		await expect(placeIntegration(s.tools, demo, [file], () => Promise.reject(denied))).rejects.toBe(denied);
		expect(await readdir(s.tools)).toEqual([]);
	});

	it("that can't be written is not said to exist already", async () => {
		await using s = await scene();
		await writeFile(s.tools, "");
		const refused: unknown = await s.place("tools.ts").catch((error: unknown) => error);
		expect(systemErrorCode(refused)).toBe("ENOTDIR");
		await rm(s.tools);
		const overlapping: unknown = await s.place("a", "a/b").catch((error: unknown) => error);
		expect(systemErrorCode(overlapping)).toMatch(/^(EEXIST|ENOTDIR)$/);
	});
});

it("an example that can't be used is refused with the file that is wrong", async () => {
	await using examples = await openHome();
	await examples.write("demo/big.ts", "x".repeat(300_000));
	await using home = await openHome({ examplesFolder: examples.path });
	await expect(home.tools.service.add({ example: "demo" })).rejects.toMatchObject({
		code: "INVALID_PARAMS",
		detail: expect.stringMatching(/^The example can't be used \(big\.ts\): This file is larger than /),
		fix: "Choose another example.",
	});
});
