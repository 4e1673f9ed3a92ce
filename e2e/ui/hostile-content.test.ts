import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, it } from "vitest";
import { unrulyAgent } from "../support/bridge/providers.ts";
import { ask, type OpenedPage, openPage } from "../support/page/opened-page.ts";

let opened: OpenedPage;
beforeAll(async () => {
	opened = await openPage({ agents: [unrulyAgent()] });
});
afterAll(() => opened[Symbol.asyncDispose]());

it("runs nothing that an agent says or writes, and loads nothing from elsewhere", async () => {
	const { page, faults } = opened;
	const asked: string[] = [];
	page.on("request", (request) => asked.push(request.url()));
	const markup = '<script>document.title="owned"</script><img src=x onerror=\'document.title="owned"\'>';
	await ask(
		page,
		"unruly",
		`UNRULY:SAY ${markup} [a](javascript:alert(1)) ![p](https://elsewhere.example/p.png) ;; WRITE page.html <h1>hi</h1>${markup} ;; WRITE <b>x</b>.txt plain ;; WRITE photo\u202Egpj.exe x ;; WRITE __proto__ y`,
	);
	// The name with a hidden character is rejected.
	const outcome = page.locator("[data-outcome=mixed]");
	await outcome.waitFor();
	await outcome.getByRole("button", { name: "page.html" }).click();
	const frame = page.frameLocator("iframe");
	await frame.getByRole("heading", { name: "hi" }).waitFor();
	expect(await page.locator("iframe").getAttribute("sandbox")).toBe("");
	expect(await page.title()).not.toBe("owned");
	expect(await page.locator(".read script, .read img, .panel img").count()).toBe(0);
	expect(asked.filter((url) => !url.startsWith(opened.url) && !url.startsWith("data:"))).toEqual([]);
	await outcome.getByRole("button", { name: "<b>x</b>.txt" }).waitFor();
	await outcome.getByRole("button", { name: "__proto__" }).waitFor();
	// A name that reads as another one does not count, and is there letter by letter.
	await page.locator(".panel").getByText("photo⟨U+202E⟩gpj.exe").waitFor();
	// The page asked for nothing that its policy refused; only the sandboxed file did.
	expect(faults.filter((fault) => !/\/files\/|sandboxed/.test(fault))).toEqual([]);
});

/** Someone's server elsewhere, and what it was asked for. */
async function elsewhere() {
	const asked: string[] = [];
	const server = createServer((request, response) => {
		asked.push(`${request.method} ${request.url}`);
		response.end("<h1>elsewhere</h1>");
	});
	await once(server.listen(0, "127.0.0.1"), "listening");
	const { port } = server.address() as AddressInfo;
	return { asked, url: `http://127.0.0.1:${port}`, [Symbol.dispose]: () => void server.close() };
}

it("leaves a file that is a page nothing to do: no refresh, form, link, frame or style reaches anybody", async () => {
	const { page } = opened;
	using other = await elsewhere();
	const loads = [
		`<meta http-equiv=refresh content="0;url=${other.url}/refresh"><base href="${other.url}/">`,
		`<link rel=stylesheet href="${other.url}/css"><link rel=prefetch href="${other.url}/prefetch"><link rel=icon href="${other.url}/icon">`,
		`<style>@import url(${other.url}/import);body{background:url(${other.url}/image)}</style>`,
		`<img src="${other.url}/img"><video src="${other.url}/video"></video><object data="${other.url}/object"></object><iframe src="${other.url}/frame"></iframe>`,
		`<iframe srcdoc="<script>fetch('${other.url}/script')</script>"></iframe><details open ontoggle="fetch('${other.url}/toggle')">x</details>`,
	];
	const ways = [
		`<form action="${other.url}/form" method=post><button>by form</button></form><a target=_top href="${other.url}/top">to top</a>`,
		`<a target=_blank href="${other.url}/blank">to a window</a><a href="javascript:top.document.title='owned'">by script</a>`,
		`<a ping="${other.url}/ping" href="${other.url}/self">from here</a>`,
	];
	await ask(page, "unruly", `UNRULY:SAY look ;; WRITE way.html <h1>a page</h1>${[...loads, ...ways].join("")}`);
	const outcome = page.locator("[data-outcome=ok]");
	await outcome.waitFor();
	await outcome.getByRole("button", { name: "way.html" }).click();
	const frame = page.frameLocator("iframe.preview-frame");
	await frame.getByRole("heading", { name: "a page" }).waitFor();
	const here = page.url();
	const title = await page.title();
	for (const way of ["by form", "to top", "to a window", "by script", "from here"]) await frame.getByText(way, { exact: true }).click();
	// What leads away leaves an empty frame; the page around it is where it was.
	await frame.getByRole("heading", { name: "a page" }).waitFor({ state: "detached" });
	expect(other.asked).toEqual([]);
	expect([page.url(), await page.title(), page.context().pages().length]).toEqual([here, title, 1]);
	// The frame has the keyboard, until the user takes it back.
	await page.getByRole("textbox", { name: "Message" }).click();
});

it("stays quick with lines of 5 MB, text that nests without end, and a drawing that is never done", async () => {
	const { page, faults } = opened;
	const steps = Array.from({ length: 12 }, (_, step) => `<g id="g${step + 1}">${`<use href="#g${step}"/>`.repeat(10)}</g>`);
	const drawing = `<svg xmlns="http://www.w3.org/2000/svg"><defs><g id="g0"><rect width="1" height="1"/></g>${steps.join("")}</defs><use href="#g12"/></svg>`;
	const before = faults.length;
	await ask(
		page,
		"unruly",
		`UNRULY:SAY ${">".repeat(3_000)} ;; SAY ${"[".repeat(3_000)} ;; FLOOD 5 1048576 ;; WRITE_MANY 1 5242880 ;; WRITE drawing.svg ${drawing}`,
	);
	const outcome = page.locator("[data-outcome=ok]");
	await outcome.waitFor({ timeout: 40_000 });
	await outcome.getByRole("button", { name: "part-0/file-0.txt" }).click();
	await page.getByRole("region", { name: "Preview of part-0/file-0.txt" }).waitFor();
	await outcome.getByRole("button", { name: "drawing.svg" }).click();
	await page.getByTitle("Preview of drawing.svg").waitFor();
	const began = Date.now();
	await page.keyboard.press("Control+n");
	await page.getByRole("heading", { name: "What do you want to get done?" }).waitFor();
	expect(Date.now() - began).toBeLessThan(3_000);
	expect(faults.slice(before)).toEqual([]);
});

it("stays whole with a flood of updates, and with right-to-left and control characters", async () => {
	const { page } = opened;
	await ask(page, "unruly", "UNRULY:FLOOD 400 2048 ;; ESCAPES ;; SAY the end");
	await page.locator("[data-outcome]").waitFor({ timeout: 40_000 });
	await page.getByText("the end").last().waitFor();
	const before = Date.now();
	await page.keyboard.press("Control+n");
	await page.getByRole("heading", { name: "What do you want to get done?" }).waitFor();
	expect(Date.now() - before).toBeLessThan(3_000);
});
