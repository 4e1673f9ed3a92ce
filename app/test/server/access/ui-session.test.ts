import { rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { remoteApp } from "../../../src/api/remote-app.ts";
import { RunningApp } from "../../../src/process/app/running-app.ts";
import { TOKEN, UiScene } from "../../support/ui-scene.ts";

const json = { "content-type": "application/json" };

describe("the link that lets a browser in", () => {
	it("becomes a cookie that no script reads, and an address that holds nothing", async () => {
		await using ui = await UiScene.open();
		const { status, headers } = await ui.request("GET", await ui.mintKey());
		expect({ status, location: headers.location }).toEqual({ status: 303, location: "/" });
		const [cookie = ""] = headers["set-cookie"] ?? [];
		expect(cookie).toMatch(/^xworkmate_\d+=[\w-]{43}; Max-Age=\d+; Path=\/; HttpOnly; SameSite=Strict$/);
		expect(headers).toMatchObject({ "cache-control": "no-store", "referrer-policy": "no-referrer" });
	});

	it("works once", async () => {
		await using ui = await UiScene.open();
		const link = await ui.mintKey();
		expect((await ui.request("GET", link)).status).toBe(303);
		const again = await ui.request("GET", link);
		expect(again.status).toBe(410);
		expect(again.headers["set-cookie"]).toBeUndefined();
	});

	it("works for minutes only", async () => {
		await using ui = await UiScene.open();
		const link = await ui.mintKey();
		ui.now = () => Date.now() + 11 * 60_000;
		expect((await ui.request("GET", link)).status).toBe(410);
	});

	it("works once, in the app that took over or was started again", async () => {
		await using ui = await UiScene.open();
		const [link, used] = [await ui.mintKey(), await ui.mintKey()];
		expect((await ui.request("GET", used)).status).toBe(303);
		await ui.scene.restart();
		await ui.serve();
		expect((await ui.request("GET", used)).status).toBe(410);
		expect((await ui.request("GET", link)).status).toBe(303);
		expect((await ui.request("GET", link)).status).toBe(410);
	});

	it("gives way to the newest of many that were not used", async () => {
		await using ui = await UiScene.open();
		const oldest = await ui.mintKey();
		const others: string[] = [];
		for (let nth = 0; nth < 20; nth++) others.push(await ui.mintKey());
		expect((await ui.request("GET", oldest)).status).toBe(410);
		expect((await ui.request("GET", others[0] ?? "")).status).toBe(303);
	});

	it("is not used up by a browser that looks ahead, nor by HEAD", async () => {
		await using ui = await UiScene.open();
		const link = await ui.mintKey();
		expect((await ui.request("GET", link, { "sec-purpose": "prefetch;prerender" })).status).toBe(503);
		expect((await ui.request("HEAD", link)).status).toBe(404);
		expect((await ui.request("GET", link)).status).toBe(303);
	});

	it("[D12] that was used, and a page that is signed out, name the command that gives a new one, as it is typed", async () => {
		await using ui = await UiScene.open();
		const link = await ui.mintKey();
		await ui.request("GET", link);
		const used = await ui.request("GET", link);
		expect(used.body).toBe("This link has expired or was already used. Get a new one in the terminal: npm run -s xworkmate -- open\n");
		expect(await ui.call("gatewayQueue")).toMatchObject({ error: { fix: "Open a new link: npm run -s xworkmate -- open" } });
	});

	it("is given to the command alone, not to a page", async () => {
		await using ui = await UiScene.open();
		await ui.signIn();
		expect(await ui.call("openKey")).toMatchObject({ status: 401 });
	});

	it("leads to a session that outlives a restart of the app, and not its thirty days", async () => {
		await using ui = await UiScene.open();
		await ui.signIn();
		const [, session = ""] = ui.cookie.split("=");
		await ui.scene.restart();
		await ui.serve();
		ui.cookie = `xworkmate_${ui.port}=${session}`;
		expect(await ui.call("settings")).toMatchObject({ status: 400, error: { code: "INVALID_INPUT" } });
		expect(await ui.call("gatewayQueue")).toMatchObject({ status: 200 });
		ui.now = () => Date.now() + 31 * 24 * 60 * 60_000;
		expect(await ui.call("gatewayQueue")).toMatchObject({ status: 401, error: { code: "UNAUTHENTICATED" } });
	});
});

describe("the guard in front of a session", () => {
	it("lets its own page call, and nobody without the cookie", async () => {
		await using ui = await UiScene.open();
		await ui.signIn();
		expect(await ui.call("gatewayQueue")).toMatchObject({ status: 200 });
		expect(await ui.call("gatewayQueue", {}, { cookie: "" })).toMatchObject({ status: 401 });
		expect(await ui.call("gatewayQueue", {}, { cookie: `xworkmate_${ui.port}=${"x".repeat(43)}` })).toMatchObject({ status: 401 });
		expect(await ui.call("gatewayQueue", {}, { cookie: ui.cookie.replace(ui.port, "1") })).toMatchObject({ status: 401 });
	});

	it.each([
		["a foreign origin", { origin: "http://evil.example" }],
		["an opaque origin", { origin: "null" }],
		["another port of this host", { origin: "http://127.0.0.1:1" }],
		["another name of this host", { origin: "http://localhost:PORT" }],
		["a page of the same site", { "sec-fetch-site": "same-site" }],
		["another site", { "sec-fetch-site": "cross-site" }],
	])("refuses a call from %s, with the cookie too", async (_, headers) => {
		await using ui = await UiScene.open();
		await ui.signIn();
		const given = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, value.replace("PORT", ui.port)]));
		expect((await ui.call("gatewayQueue", {}, given)).status).toBe(403);
	});

	it("refuses a call that says nothing of where it comes from, and a foreign Host", async () => {
		await using ui = await UiScene.open();
		await ui.signIn();
		const { cookie } = ui;
		expect((await ui.request("POST", "/api/gatewayQueue", { ...json, cookie }, "{}")).status).toBe(403);
		expect((await ui.request("POST", "/api/gatewayQueue", { ...json, cookie, host: "evil.example" }, "{}")).status).toBe(403);
		expect((await ui.request("GET", "/", { host: "evil.example" })).status).toBe(403);
	});

	it("refuses a form, whose body is no JSON", async () => {
		await using ui = await UiScene.open();
		await ui.signIn();
		const headers = { cookie: ui.cookie, origin: ui.url, "content-type": "text/plain" };
		expect((await ui.request("POST", "/api/gatewayQueue", headers, "{}")).status).not.toBe(200);
	});

	it.each(["/api/changes", "/api/events/t/u", "/files/t/r/a.md", "/archives/t/r.zip", "/runlogs/t/u.json"])(
		"refuses %s without a session, and from another site with one",
		async (path) => {
			await using ui = await UiScene.open();
			expect((await ui.get(path)).status).toBe(401);
			await ui.signIn();
			expect((await ui.get(path, { "sec-fetch-site": "same-site" })).status).toBe(403);
		},
	);

	it("tells the settings that it was started with to the command alone", async () => {
		await using ui = await UiScene.open();
		await ui.signIn();
		expect((await ui.call("startedWith", {})).status).toBe(401);
		const command = new RunningApp(ui.url, TOKEN, remoteApp(ui.url, TOKEN), { pid: process.pid });
		expect(await command.differentSettings({ XWORKMATE_KEEP_MS: "1", XWORKMATE_HOME: "/other" })).toEqual([]);
		expect(await command.differentSettings({ XWORKMATE_KEEP_MS: "2" })).toEqual(["XWORKMATE_KEEP_MS"]);
	});

	it("still lets the command in by its token, and takes no token from an address", async () => {
		await using ui = await UiScene.open();
		const bearer = { ...json, authorization: `Bearer ${TOKEN}` };
		expect((await ui.request("POST", "/api/ping", bearer, "{}")).status).toBe(200);
		expect((await ui.request("POST", `/api/ping?token=${TOKEN}`, json, "{}")).status).toBe(401);
		await ui.signIn();
		expect((await ui.call("gatewayQueue", {}, { authorization: "Bearer wrong" })).status).toBe(401);
	});
});

describe("the page", () => {
	it("comes without a session, with a policy that runs its own files alone", async () => {
		await using ui = await UiScene.open();
		const { status, headers, body } = await ui.request("GET", "/");
		expect(status).toBe(200);
		expect(body).toContain("the page");
		expect(headers).toMatchObject({
			"content-type": expect.stringContaining("text/html"),
			"x-content-type-options": "nosniff",
			"referrer-policy": "no-referrer",
			"cache-control": "no-cache",
		});
		const policy = String(headers["content-security-policy"]);
		expect(policy).toContain("default-src 'none'");
		expect(policy).toContain("script-src 'self';");
		expect(policy).toContain("frame-ancestors 'none'");
		expect(policy).not.toContain("unsafe");
	});

	it("keeps what carries a hash in its name, and answers every page address with itself", async () => {
		await using ui = await UiScene.open();
		expect((await ui.request("GET", "/assets/page.js")).headers["cache-control"]).toContain("immutable");
		expect((await ui.request("GET", "/thread/draft%3A2026")).body).toContain("the page");
		// An address of the server that has nothing there is no address of the page.
		for (const own of ["api", "files", "archives", "exports", "runlogs"]) {
			expect(await ui.request("GET", `/${own}/nothing`)).toMatchObject({ status: 404, body: expect.not.stringContaining("the page") });
		}
	});

	it("that is not built yet says so, and opens by itself once it is", async () => {
		await using ui = await UiScene.open();
		rmSync(join(ui.assets, "index.html"));
		const { status, headers, body } = await ui.request("GET", "/");
		expect(status).toBe(503);
		expect(headers.refresh).toBe("2");
		expect(body).toContain("npm start");
	});

	it.each([
		"/../token",
		"/..%2f..%2fapp%2ftoken",
		"/%2e%2e/app/token",
		"/assets/..%2f..%2f..%2fapp%2fapp.sqlite",
		"/.hidden.txt",
		"/none.js",
		"/a\\..\\b.js",
	])("gives nothing but its own files: %s", async (path) => {
		await using ui = await UiScene.open();
		const { status, body } = await ui.request("GET", path);
		if (status === 200) expect(body).toContain("the page");
		else expect([400, 403, 404]).toContain(status);
	});
});
