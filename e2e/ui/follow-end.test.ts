import type { Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { unrulyAgent } from "../support/bridge/providers.ts";
import { ask, type OpenedPage, openPage } from "../support/page/opened-page.ts";

let opened: OpenedPage;
beforeAll(async () => {
	opened = await openPage({ agents: [unrulyAgent()] });
});
afterAll(() => opened[Symbol.asyncDispose]());

const said = (text: string) =>
	`UPDATE ${JSON.stringify({ sessionUpdate: "agent_message_chunk", content: { type: "text", text }, messageId: `m${text.length}` })}`;
const code = said(
	`Here it is:\n\n\`\`\`ts\n${Array.from({ length: 60 }, (_, index) => `const line${index} = ${index};`).join("\n")}\n\`\`\`\n`,
);
const prose = said(Array.from({ length: 12 }, (_, index) => `Paragraph ${index} of an answer that is longer than one line.`).join("\n\n"));
const tools = Array.from({ length: 6 }, (_, index) => `TOOL step ${index}`)
	.join(" ;; ")
	.concat(" ;; SAY that is all");

/** What follows a message of several lines: the dock shrinks when it is sent, and the answer grows meanwhile. */
const scripts = [
	prose,
	tools,
	code,
	"STEADY 80 300",
	`${prose} ;; ${tools} ;; ${code}`,
	"PLAN ;; SLOW 8 20",
	"WRITE report.md text",
	"DIE 3",
];

const message = (page: Page) => page.getByRole("textbox", { name: "Message" });
const ended = (page: Page) => page.locator("[data-turn] [data-outcome]");

/** Frames after which the end was out of sight, three in a row: on a busy machine two may fall between what came and its layout. */
const WATCH = `(() => {
	const box = document.querySelector(".scroll");
	window.outOfSight = [];
	let before = [0, 0];
	const channel = new MessageChannel();
	channel.port1.onmessage = () => {
		const gap = box.scrollHeight - box.scrollTop - box.clientHeight;
		if (gap > 2 && before.every((one) => one > 2)) window.outOfSight.push(Math.round(gap));
		before = [gap, before[0]];
		requestAnimationFrame(() => channel.port2.postMessage(0));
	};
	channel.port2.postMessage(0);
})()`;

async function outOfSight(page: Page): Promise<readonly number[]> {
	return (await page.evaluate("window.outOfSight.splice(0)")) as number[];
}

async function settled(page: Page): Promise<void> {
	await page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done, 50))))");
}

async function send(page: Page, script: string): Promise<void> {
	await message(page).fill(`Please go on\nwith the next step\nand the one after it\nUNRULY:${script}`);
	await page.keyboard.press("Enter");
	await expect.poll(() => message(page).inputValue()).toBe("");
}

/** What is in the middle of the screen is what is being read. */
const READ = `(() => {
	const { left, width, top, height } = document.querySelector(".scroll").getBoundingClientRect();
	window.beingRead = document.elementFromPoint(left + width / 2, top + height / 2);
})()`;

/**
 * Where on the screen the text is that is being read, once it moves no more: a wheel is followed smoothly, and a busy machine leaves out a
 * frame or two of it.
 */
async function position(page: Page): Promise<number> {
	const read = async () => (await page.evaluate("window.beingRead.getBoundingClientRect().top")) as number;
	let at = await read();
	let still = 0;
	await expect
		.poll(async () => {
			const before = at;
			await settled(page);
			at = await read();
			still = at === before ? still + 1 : 0;
			return still;
		})
		.toBeGreaterThanOrEqual(4);
	return at;
}

beforeEach(async () => {
	await ask(opened.page, "unruly", `A long thread\nUNRULY:${prose} ;; ${code}`);
	await ended(opened.page).waitFor();
	await settled(opened.page);
	await opened.page.evaluate(WATCH);
});

it("[D1] keeps the end of an answer in sight after each of 16 messages: text, tools, code, plans, files, failures", async () => {
	const { page, faults } = opened;
	const lost: string[] = [];
	for (let sent = 0; sent < 16; sent++) {
		await send(page, scripts[sent % scripts.length] ?? "");
		await expect.poll(() => ended(page).count()).toBe(sent + 2);
		await settled(page);
		const gaps = await outOfSight(page);
		const isOffered = (await page.getByRole("button", { name: "Jump to latest" }).count()) > 0;
		if (gaps.length > 0 || isOffered) lost.push(`message ${sent + 1}: ${gaps.slice(0, 5)}${isOffered ? " with a button" : ""}`);
	}
	expect(lost).toEqual([]);
	expect(faults).toEqual([]);
});

it("[D1] keeps the end in sight when queued messages start, and while the bridge is lost and comes back", async () => {
	const { page, app } = opened;
	await send(page, `${prose} ;; SLOW 60 50`);
	await page.getByRole("button", { name: /Stop/ }).waitFor();
	for (const script of [code, tools, prose]) await send(page, script);
	await expect.poll(() => ended(page).count(), { timeout: 30_000 }).toBe(5);
	await settled(page);
	expect(await outOfSight(page)).toEqual([]);
	await send(page, `${code} ;; HANG`);
	await page.locator("[data-turn]").nth(5).getByText("Here it is").waitFor();
	process.kill(app.bridgePid, "SIGKILL");
	await page.locator("[data-outcome=unk]").waitFor({ timeout: 60_000 });
	await settled(page);
	expect(await outOfSight(page)).toEqual([]);
});

it("[D1] pulls a reader who scrolled up by wheel or keys nowhere, and offers the way to the latest", async () => {
	const { page } = opened;
	const jump = page.getByRole("button", { name: "Jump to latest" });
	for (const leave of [
		async () => {
			await page.mouse.move(500, 300);
			await page.mouse.wheel(0, -700);
		},
		async () => {
			await page.locator(".scroll").focus();
			await page.keyboard.press("PageUp");
		},
	]) {
		const count = await ended(page).count();
		await send(page, `${prose} ;; STEADY 120 60 ;; ${code}`);
		await page.locator("[data-turn]").last().locator("details.act").nth(2).waitFor();
		await leave();
		await jump.waitFor();
		await page.evaluate(READ);
		const there = await position(page);
		await expect.poll(() => ended(page).count()).toBe(count + 1);
		await settled(page);
		expect(Math.abs((await position(page)) - there), "it was moved").toBeLessThan(2);
		await jump.click();
		await jump.waitFor({ state: "detached" });
		await outOfSight(page);
		await send(page, prose);
		await expect.poll(() => ended(page).count()).toBe(count + 2);
		await settled(page);
		expect(await outOfSight(page)).toEqual([]);
	}
});

it("[D1] has a head of one height in each turn, with and without the menu that an answer gets when its run ends", async () => {
	const { page } = opened;
	const head = page.locator("[data-turn] .who").last();
	const height = async () => (await head.boundingBox())?.height;
	await send(page, "SLOW 40 50");
	await page.getByRole("button", { name: /Stop/ }).waitFor();
	const during = await height();
	await expect.poll(() => ended(page).count()).toBe(2);
	await head.getByRole("button").waitFor();
	expect(await height()).toBe(during);
});
