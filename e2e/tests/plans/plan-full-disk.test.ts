import { setTimeout as delay } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { bridgeOnSmallDisk } from "../../support/bridge/on-full-disk.ts";
import { noMount, skipReason } from "../../support/bridge/small-disk.ts";
import { waitUntil } from "../../support/machine/wait-until.ts";
import { PlanDesk } from "../../support/plans/plan-desk.ts";
import { mailAction, mailText, setUpEmail } from "../../support/plans/set-up-email.ts";
import { startFakeSmtp } from "../../support/services/smtp-server.ts";
import { refused } from "../../support/wire/refused.ts";

/** What a plan's messages carry: none of their commits finds room in what a log's last page has left. */
const filling = `${"All of it. ".repeat(20_000)}That is all.`;

describe.skipIf(noMount !== undefined)(`a disk that is full while plans come due${skipReason}`, () => {
	it("loses none and sends none twice: the bridge lives and says so, and goes on when there is space", async () => {
		await using smtp = await startFakeSmtp();
		await using at = await bridgeOnSmallDisk();
		const { bridge, disk } = at;
		const desk = new PlanDesk(bridge.client());
		await setUpEmail(desk.client, smtp);
		const scheduledFor = new Date(Date.now() + 4_000).toISOString();
		const later = (channel: string, content: string) => desk.create({ type: "scheduled", scheduledFor, delivery: [{ channel, content }] });
		const mail = await later("email", `Mail. ${filling}`);
		const row = await later("dashboard", `Row. ${filling}`);
		const program = await desk.script(`return 'Worked. ' + 'x'.repeat(100_000)`, {
			...{ type: "scheduled", scheduledFor },
			delivery: [{ channel: "dashboard" }],
		});
		await disk.fill();
		await waitUntil("the time that it is full for", 20_000, () => (Date.now() > Date.parse(scheduledFor) + 5_000 ? true : undefined));
		expect((await desk.client.http({ path: "/healthz" })).status).toBe(200);
		// Whoever asks for something meanwhile is told why it can't be.
		const refusal = await refused(desk.create({ delivery: [{ channel: "dashboard", content: filling }] }));
		expect(refusal.data).toMatchObject({ code: "DISK_FULL", retryable: true });
		expect((await desk.inbox()).map(({ text }) => text?.slice(0, 4))).toEqual([]);
		expect(await smtp.mails()).toEqual([]);
		const held = await Promise.all([mail, row, program].map(({ planId }) => desk.get(planId)));
		expect(held.map(({ status }) => status)).toEqual(expect.not.arrayContaining(["completed", "failed"]));

		await disk.free();
		for (const { planId } of [mail, row, program])
			expect(await desk.settled(planId)).toMatchObject({ status: "completed", dueAt: scheduledFor });
		await delay(1_000);
		const sent = await smtp.mails();
		expect(sent.map(mailAction)).toEqual([`${mail.planId}-1-1`]);
		expect(sent.every((one) => mailText(one) === `Mail. ${filling}`)).toBe(true);
		expect((await desk.inbox()).map(({ text }) => text?.slice(0, 4)).sort()).toEqual(["Row.", "Work"]);
		expect(await at.log()).toMatch(/"msg":"a plan could not be continued"/);
		expect(await at.log()).toMatch(/disk (?:is )?full|STORE_FULL/);
	});
});
