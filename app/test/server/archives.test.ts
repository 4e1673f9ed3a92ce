import { mkdirSync, openSync, rmSync } from "node:fs";
import { get } from "node:http";
import { dirname, join } from "node:path";
import { buffer } from "node:stream/consumers";
import { parse } from "content-disposition";
import { extract } from "tar-stream";
import { describe, expect, it } from "vitest";
import { archiveRoute } from "../../src/core/ui-routes.ts";
import { deliver } from "../support/deliver.ts";
import { UiScene } from "../support/ui-scene.ts";

describe("all files of a run at once", () => {
	it("come as a tar and as a zip of those that are here", async () => {
		await using ui = await UiScene.open();
		const { threadId, folder } = await deliver(ui, { "a.md": "# a", "ü/b.md": "b", "lost.md": "lost", "empty.txt": "" });
		rmSync(join(folder, "lost.md"));
		const response = await fetch(ui.url + archiveRoute(threadId, "run-1", "tar"), { headers: { cookie: ui.cookie } });
		const entries: string[] = [];
		const reading = extract();
		reading.end(Buffer.from(await response.arrayBuffer()));
		for await (const entry of reading) {
			entries.push(`${entry.header.name}=${(await buffer(entry)).toString()}`);
		}
		expect(entries).toEqual(["a.md=# a", "ü/b.md=b", "empty.txt="]);
		const zip = await ui.get(archiveRoute(threadId, "run-1", "zip"));
		expect(zip.status).toBe(200);
		expect(zip.headers).toMatchObject({
			"content-type": "application/zip",
			"content-disposition": 'attachment; filename="make files.zip"',
		});
		expect(zip.body.startsWith("PK")).toBe(true);
		for (const words of ["a.md", "# a", "empty.txt"]) expect(zip.body).toContain(words);
		expect((await ui.get(archiveRoute(threadId, "run-9", "zip"))).status).toBe(404);
	});

	it("have a name that a header may carry, whatever the thread is called", async () => {
		await using ui = await UiScene.open();
		const { threadId } = await deliver(ui, { "a.md": "a" });
		for (const title of [
			'quo"te"; filename="x.exe',
			"naïve 漢字 🎉 \u202egpj",
			"x".repeat(200),
			"../../etc/passwd%0d%0a",
			`x${"🎉".repeat(90)}`,
		]) {
			expect(await ui.call("renameThread", { threadId, title })).toMatchObject({ status: 200 });
			const { status, headers } = await ui.get(archiveRoute(threadId, "run-1", "zip"));
			const { type, parameters } = parse(String(headers["content-disposition"]));
			expect([status, type]).toEqual([200, "attachment"]);
			expect(parameters.filename).toMatch(/^[^/\\\u202e]{1,80}\.zip$/u);
		}
	});

	it("break off where one is taken away meanwhile: half an archive is none", async () => {
		await using ui = await UiScene.open();
		const big = Buffer.alloc(3 * 1024 * 1024, "x");
		const { threadId, folder } = await deliver(ui, { "a.bin": big, "b.bin": big, "c/d.bin": big });
		ui.scene.bridge.onFile = () => 410;
		const { promise, resolve } = Promise.withResolvers<string>();
		get(ui.url + archiveRoute(threadId, "run-1", "tar"), { headers: { cookie: ui.cookie } }, (response) => {
			response.once("data", () => {
				rmSync(join(folder, "c"), { recursive: true });
				mkdirSync(dirname(join(folder, "c/d.bin")), { recursive: true });
				openSync(join(folder, "c/other"), "w");
			});
			response.on("error", () => resolve("broken"));
			response.on("end", () => resolve("whole"));
		}).on("error", () => resolve("broken"));
		expect(await promise).toBe("broken");
	});
});
