import axe from "axe-core";
import type { Locator, Page } from "playwright-core";
import { expect, it } from "vitest";
import { z } from "zod";
import { runCommand } from "../support/app/command.ts";
import { openPage } from "../support/page/opened-page.ts";
import { startFakeSmtp } from "../support/services/smtp-server.ts";

const Findings = z.array(z.object({ id: z.string(), impact: z.string().nullish(), nodes: z.array(z.object({ html: z.string() })) }));

/** Serious and critical findings in both themes, in words. */
async function findings(page: Page): Promise<readonly string[]> {
	const found: string[] = [];
	for (const colorScheme of ["light", "dark"] as const) {
		await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
		// Through the protocol, not as a script of the page: its policy allows none.
		await page.evaluate(axe.source);
		const result: unknown = await page.evaluate("axe.run(document, { resultTypes: ['violations'] }).then((result) => result.violations)");
		for (const { id, impact, nodes } of Findings.parse(result))
			if (impact === "serious" || impact === "critical")
				found.push(...nodes.map(({ html }) => `${colorScheme} ${id}: ${html.slice(0, 160)}`));
	}
	return found;
}

it("leads from an empty home without a key to a scheduled daily email in at most 12 actions; its pages have no serious finding", async () => {
	await using mail = await startFakeSmtp("none");
	await using opened = await openPage();
	const { page, url } = opened;
	let actions = 0;
	const act = async (action: Promise<unknown>) => {
		await action;
		actions += 1;
	};
	const clean = async () => expect(await findings(page), new URL(page.url()).hash).toEqual([]);
	const press = (name: string) => act(page.getByRole("button", { name, exact: true }).click());
	const write = (label: string, text: string) => act(page.getByRole("textbox", { name: label, exact: true }).fill(text));
	const { host, port, from } = mail.settings;

	await act(page.getByRole("link", { name: "Settings" }).first().click());
	await act(page.getByRole("link", { name: "Channels", exact: true }).click());
	await write("Server", String(host));
	await write("Port", String(port));
	await act(page.getByLabel("Encryption").selectOption("none"));
	await write("Your own address", String(from));
	await write("Send as", String(from));
	await press("Save and test");
	// What the test did stays in sight although the settings are new.
	await page.getByRole("region", { name: "Test", exact: true }).waitFor();
	expect(await mail.mails()).toHaveLength(1);
	expect(actions).toBe(8);
	await clean();

	await page.keyboard.press("Alt+p");
	actions += 1;
	await write("Work", 'return "NONE"');
	await act(page.getByLabel("Channel", { exact: true }).selectOption("email"));
	await page.getByText("Email is set up", { exact: true }).waitFor();
	await clean();
	await press("Create plan");
	await page.getByText("Every day at 09:00", { exact: false }).first().waitFor();
	expect(actions).toBeLessThanOrEqual(12);
	await clean();

	// Due now, it is held, since the agent had nothing to say.
	await page.getByRole("button", { name: "Run now" }).click();
	await page.getByRole("link", { name: "Review", exact: true }).click();
	await page.getByRole("button", { name: "Write it yourself" }).waitFor();
	await clean();
	// A phone shows the message or the checks, each one press from the other.
	await page.setViewportSize({ width: 390, height: 844 });
	await page.getByRole("button", { name: "Checks and bytes" }).click();
	await page.getByRole("complementary", { name: "Checks and bytes" }).waitFor();
	await clean();
	await page.getByRole("button", { name: "Back to the message" }).click();
	await page.getByRole("button", { name: "Write it yourself" }).waitFor();
	await page.setViewportSize({ width: 1280, height: 800 });
	for (const [hash, heading] of [
		["#/plans", "Plans"],
		["#/inbox", "Inbox"],
	] as const) {
		await page.goto(`${url}${hash}`);
		await page.getByRole("heading", { name: heading, exact: true }).first().waitFor();
		await clean();
	}
	expect(opened.faults).toEqual([]);
});

/** By how many pixels what is in a box is wider than the box. */
const excess = (box: Locator) => box.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth);

it("shows each filter on a phone, and beside a plan's channel, not over it, since when its state may be out of date", async () => {
	await using opened = await openPage();
	const { page, url, home } = opened;
	const work = ["--agent", "script", "--instructions", "return 'NONE'"];
	expect(await runCommand(home, ["plans", "create", "--dashboard", "--title", "Declines", ...work])).toMatchObject({ code: 0 });
	await page.goto(`${url}#/plans`);
	const row = page.getByRole("article", { name: "Declines" }).locator("li", { hasText: "Inbox" });
	await row.getByText("Needs review").waitFor();
	await page.setViewportSize({ width: 390, height: 844 });
	expect(await excess(page.getByRole("group", { name: "Show" }))).toBeLessThanOrEqual(0);
	await page.setViewportSize({ width: 1280, height: 800 });
	await opened.killApp();
	const state = row.getByText(/Needs review as of/);
	await state.waitFor();
	expect(await excess(state)).toBeLessThanOrEqual(0);
	await opened.restart();
});
