import { afterAll, beforeAll, expect, it } from "vitest";
import { ask, type OpenedPage, openPage } from "../support/opened-page.ts";
import { unrulyAgent } from "../support/providers.ts";

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
		`UNRULY:SAY ${markup} [a](javascript:alert(1)) ![p](https://elsewhere.example/p.png) ;; WRITE page.html <h1>hi</h1>${markup} ;; WRITE <b>x</b>.txt plain`,
	);
	const outcome = page.locator("[data-outcome=ok]");
	await outcome.waitFor();
	await outcome.getByRole("button", { name: "page.html" }).click();
	const frame = page.frameLocator("iframe");
	await frame.getByRole("heading", { name: "hi" }).waitFor();
	expect(await page.locator("iframe").getAttribute("sandbox")).toBe("");
	expect(await page.title()).not.toBe("owned");
	expect(await page.locator(".read script, .read img, .panel img").count()).toBe(0);
	expect(asked.filter((url) => !url.startsWith(opened.url) && !url.startsWith("data:"))).toEqual([]);
	await outcome.getByRole("button", { name: "<b>x</b>.txt" }).waitFor();
	// The page asked for nothing that its policy refused; only the sandboxed file did.
	expect(faults.filter((fault) => !/\/files\/|sandboxed/.test(fault))).toEqual([]);
});

it("stays whole with a flood of updates, and with right-to-left and control characters", async () => {
	const { page } = opened;
	await ask(page, "unruly", "UNRULY:FLOOD 400 2048 ;; ESCAPES ;; SAY the end");
	await page.locator("[data-outcome]").waitFor({ timeout: 40_000 });
	await page.getByText("the end").last().waitFor();
	const before = Date.now();
	await page.keyboard.press("Control+n");
	await page.getByRole("heading", { name: "What should come out?" }).waitFor();
	expect(Date.now() - before).toBeLessThan(3_000);
});
