import { afterAll, beforeAll, expect, it } from "vitest";
import { startCommand } from "../support/app/command.ts";
import { clientOf } from "../support/app/kept-bridge.ts";
import { listThreads } from "../support/app/started-app.ts";
import { readEndpoint } from "../support/bridge/bridge-process.ts";
import { settleAgain } from "../support/bridge/settle.ts";
import { endByPid } from "../support/machine/live-processes.ts";
import { within } from "../support/machine/wait-until.ts";
import { gatewaySettings, TURN_BOUND_MS, useOnboardedGateway } from "../support/openclaw/openclaw-suite.ts";
import { type OpenedPage, openPage } from "../support/page/opened-page.ts";

const gateway = useOnboardedGateway();
let opened: OpenedPage;

beforeAll(async () => {
	opened = await openPage({ env: gatewaySettings(gateway) });
	opened.page.setDefaultTimeout(TURN_BOUND_MS);
});
afterAll(() => opened[Symbol.asyncDispose]());

/** The app starts its bridge again. */
const killBridge = async () => endByPid((await readEndpoint(opened.home))?.pid ?? 0);

it.each([
	{ what: "bridge", kill: killBridge, seconds: 15, status: "completed", exitCode: 0, lastWords: " slow done" },
	// Its answer has no end of its own: however slow the machine is, the kill comes in its middle.
	{ what: "gateway", kill: () => gateway.restart(), seconds: 600, status: "interrupted", exitCode: 6, lastWords: "" },
])(
	"has each word of an answer once in log, command and page when the $what is killed in its middle and started again",
	async ({ what, kill, seconds, status, exitCode, lastWords }) => {
		const { home, page } = opened;
		const title = `The ${what} is killed`;
		const run = startCommand(home, ["run", "--target", "gateway", "--provider", "openclaw", `${title}\nFAKE:SLOW ${seconds}`]);
		await run.until(/tick 5 /, TURN_BOUND_MS);
		await page.locator(".side [data-thread]").filter({ hasText: title }).click();
		const words = page.locator("[data-turn] .md");
		await words.getByText("tick 5 ").waitFor();
		await kill();
		const { code, stdout, stderr } = await within("the end of the command", 2 * TURN_BOUND_MS, run.ended);
		expect(code, stderr).toBe(exitCode);

		const shown = async () => {
			await page.locator("[data-outcome]").waitFor();
			return (await words.allTextContents()).join(" ");
		};
		const live = await shown();
		await page.reload();
		const reloaded = await shown();

		const thread = (await listThreads(home)).find((one) => JSON.stringify(one).includes(title));
		const { snapshot, updates } = await settleAgain(await clientOf(home), thread?.turns.at(-1)?.runId ?? "");
		expect(snapshot.status).toBe(status);
		const log = updates.flatMap(({ update }) => (update.kind === "message_delta" ? [String(update.text)] : [])).join("");
		const ticks = log.split("tick").length - 1;
		expect(ticks).toBeGreaterThanOrEqual(5);
		const said = Array.from({ length: ticks }, (_, n) => `tick ${n + 1}`).join(" ") + lastWords;
		const told = { log, command: stdout, live, reloaded };
		for (const [where, text] of Object.entries(told)) expect(text.replaceAll(/\s+/g, " ").trim(), where).toBe(said);
	},
);
