import { afterAll, beforeAll, expect, it } from "vitest";
import { z } from "zod";
import { runCommand } from "../../support/app/command.ts";
import { type StartedApp, startApp } from "../../support/app/started-app.ts";
import { writeReport } from "../../support/bridge/scripts.ts";
import { type TemporaryHome, temporaryHome } from "../../support/machine/temporary-home.ts";
import { waitUntil } from "../../support/machine/wait-until.ts";

// What a browser does with the link that `xworkmate start` prints, without a browser.
let home: TemporaryHome;
let app: StartedApp;
let link: URL;
let cookie: string;

beforeAll(async () => {
	home = await temporaryHome();
	app = await startApp(home);
	const [found = ""] = await app.command.until(/http:\/\/127\.0\.0\.1:\d+\/open\/[\w-]{43}/);
	link = new URL(found);
});
afterAll(async () => {
	await app[Symbol.asyncDispose]();
	await home[Symbol.asyncDispose]();
});

const Sent = z.looseObject({ result: z.looseObject({ threadId: z.string(), turnId: z.string() }) });
const Files = z.looseObject({
	result: z.looseObject({
		runs: z.array(z.looseObject({ runId: z.string(), files: z.array(z.looseObject({ relativePath: z.string(), state: z.string() })) })),
	}),
});

async function call(name: string, params: object): Promise<unknown> {
	const headers = { cookie, origin: link.origin, "content-type": "application/json" };
	const response = await fetch(`${link.origin}/api/${name}`, { method: "POST", headers, body: JSON.stringify(params) });
	return await response.json();
}

it("the printed link lets a browser in, once, and leads to the page", async () => {
	const first = await fetch(link, { redirect: "manual" });
	expect([first.status, first.headers.get("location")]).toEqual([303, "/"]);
	cookie = first.headers.get("set-cookie")?.split(";")[0] ?? "";
	expect((await fetch(link, { redirect: "manual" })).status).toBe(410);
	const page = await fetch(link.origin);
	expect(page.headers.get("content-security-policy")).toContain("default-src 'none'");
	const [, script = ""] = /<script type="module"[^>]* src="([^"]+)"/.exec(await page.text()) ?? [];
	expect((await fetch(link.origin + script)).headers.get("content-type")).toContain("javascript");
});

it("a page gets its first checked file by one message", async () => {
	const { result: sent } = Sent.parse(
		await call("send", { prompt: writeReport, routing: { executionTarget: "agent", providerId: "script" } }),
	);
	const run = await waitUntil("a checked file", 30_000, async () => {
		const [newest] = Files.parse(await call("listFiles", { threadId: sent.threadId })).result.runs;
		return newest?.files.some(({ state }) => state === "checked") ? newest : undefined;
	});
	const [file] = run.files;
	const path = `/files/${encodeURIComponent(sent.threadId)}/${run.runId}/${file?.relativePath}`;
	const response = await fetch(link.origin + path, { headers: { cookie } });
	expect([response.status, response.headers.get("content-security-policy")]).toEqual([200, expect.stringMatching(/^sandbox;/)]);
	expect((await fetch(link.origin + path)).status).toBe(401);
});

it("`xworkmate open --print` gives a new link", async () => {
	const { stdout, code } = await runCommand(home, ["open", "--print"]);
	expect(code).toBe(0);
	const response = await fetch(stdout.trim(), { redirect: "manual" });
	expect([new URL(stdout.trim()).origin, response.status]).toEqual([link.origin, 303]);
});

it("the bridge starts again when a page asks", async () => {
	const before = app.bridgePid;
	const View = z.looseObject({ result: z.looseObject({ state: z.string() }) });
	expect(View.parse(await call("restartBridge", {})).result.state).toBe("connected");
	await waitUntil("the end of the bridge there was", 10_000, async () => {
		try {
			process.kill(before, 0);
			return undefined;
		} catch {
			return true;
		}
	});
});
