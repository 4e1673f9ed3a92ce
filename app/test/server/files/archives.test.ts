import { mkdirSync, openSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { get } from "node:http";
import { dirname, join } from "node:path";
import { buffer } from "node:stream/consumers";
import { parse } from "content-disposition";
import { extract } from "tar-stream";
import { describe, expect, it } from "vitest";
import { archiveRoute } from "../../../src/api/ui-routes.ts";
import { deliver } from "../../support/deliver.ts";
import { UiScene } from "../../support/ui-scene.ts";

describe("all files of a run at once", () => {
	it("come as a tar and as a zip, and one that is missing from the folder is the bridge's copy", async () => {
		await using ui = await UiScene.open();
		const { threadId, folder } = await deliver(ui, { "a.md": "# a", "ü/b.md": "b", "lost.md": "lost", "empty.txt": "" });
		rmSync(join(folder, "lost.md"));
		const whole = ["a.md=# a", "ü/b.md=b", "lost.md=lost", "empty.txt="];
		expect(await entriesOf(ui, archiveRoute(threadId, "run-1", "tar"))).toEqual(whole);
		expect(await entriesOf(ui, archiveRoute(threadId, undefined, "tar"))).toEqual(whole);
		const zip = await ui.get(archiveRoute(threadId, "run-1", "zip"));
		expect(zip.status).toBe(200);
		expect(zip.headers).toMatchObject({
			"content-type": "application/zip",
			"content-disposition": 'attachment; filename="make files.zip"',
		});
		expect(zip.body.startsWith("PK")).toBe(true);
		for (const words of ["a.md", "# a", "lost.md", "empty.txt"]) expect(zip.body).toContain(words);
		expect((await ui.get(archiveRoute(threadId, "run-9", "zip"))).status).toBe(404);
	});

	it("are not given without one that cannot be had, unless that was asked for knowing which and why", async () => {
		await using ui = await UiScene.open();
		const { threadId, folder } = await deliver(ui, { "a.md": "as delivered", "lost.md": "lost", "link.md": "link" });
		writeFileSync(join(folder, "a.md"), "mine");
		rmSync(join(folder, "lost.md"));
		rmSync(join(folder, "link.md"));
		symlinkSync("a.md", join(folder, "link.md"));
		ui.scene.bridge.onFile = () => 410;
		for (const runId of ["run-1", undefined]) {
			const check = await ui.get(archiveRoute(threadId, runId, "tar", "check"));
			expect(JSON.parse(check.body)).toEqual({
				files: 1,
				lacking: [
					{ path: "lost.md", message: expect.stringMatching(/\.$/) },
					{ path: "link.md", message: "A link is in its place, so the file was not opened." },
				],
			});
			const refused = await ui.get(archiveRoute(threadId, runId, "tar"));
			expect([refused.status, refused.body.includes("lost.md, link.md")]).toEqual([404, true]);
			expect(await entriesOf(ui, archiveRoute(threadId, runId, "tar", "partial"))).toEqual(["a.md=mine"]);
		}
		rmSync(join(folder, "a.md"));
		expect((await ui.get(archiveRoute(threadId, "run-1", "tar", "partial"))).status).toBe(404);
	});

	it("of a run that did not succeed are the bridge's copies", async () => {
		await using ui = await UiScene.open();
		const { threadId } = await deliver(ui, { "a.md": "saved" });
		ui.scene.bridge.onRun = (run) => void run.end("cancelled", { "half.md": "half" });
		await ui.scene.end(await ui.scene.send("more", threadId));
		expect(await entriesOf(ui, archiveRoute(threadId, "run-2", "tar"))).toEqual(["half.md=half"]);
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

async function entriesOf(ui: UiScene, route: string): Promise<readonly string[]> {
	const response = await fetch(ui.url + route, { headers: { cookie: ui.cookie } });
	const entries: string[] = [];
	const reading = extract();
	reading.end(Buffer.from(await response.arrayBuffer()));
	for await (const entry of reading) entries.push(`${entry.header.name}=${(await buffer(entry)).toString()}`);
	return entries;
}
