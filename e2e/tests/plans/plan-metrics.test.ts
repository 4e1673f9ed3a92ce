import { expect, it } from "vitest";
import { startBridge } from "../../support/bridge/bridge-process.ts";
import { temporaryHome } from "../../support/machine/temporary-home.ts";
import { PlanDesk } from "../../support/plans/plan-desk.ts";
import { readSeries } from "../../support/plans/read-series.ts";
import { setUpEmail } from "../../support/plans/set-up-email.ts";
import { startFakeSmtp } from "../../support/services/smtp-server.ts";

const SECRET = "Don't forget to call mom";
const email = [{ channel: "email", content: SECRET }];

it("counts messages by channel and end, and how late a scheduled plan began, with nothing of what they say", async () => {
	await using home = await temporaryHome();
	await using smtp = await startFakeSmtp();
	await using bridge = await startBridge({ home, env: { XWORKMATE_SEND_TIMEOUT_MS: "1000" } });
	const desk = new PlanDesk(bridge.client());
	await setUpEmail(desk.client, smtp);
	const series = () => readSeries(desk.client);
	const before = await series();
	for (const channel of ["email", "dashboard", "whatsapp", "discord"])
		for (const end of ["completed", "failed", "unknown"]) expect(before.deliveries(channel, end)).toBe(0);
	expect(before.lag).toEqual({ count: 0, sum: 0 });

	await desk.settled((await desk.create({ delivery: [{ channel: "dashboard", content: SECRET }] })).planId);
	await desk.settled((await desk.create({ delivery: email })).planId);
	await smtp.fail({ stage: "rcpt", kind: "answer", code: 550, text: "no such user" });
	const refused = await desk.settled((await desk.create({ delivery: [{ channel: "email", content: "One" }] })).planId);
	expect(refused).toMatchObject({ delivery: [{ status: "failed" }] });
	await smtp.fail({ stage: "dot", kind: "hang" });
	const unknown = await desk.settled((await desk.create({ delivery: [{ channel: "email", content: "Two" }] })).planId);
	expect(unknown).toMatchObject({ delivery: [{ status: "unknown" }] });
	const counted = await series();
	expect([counted.deliveries("email", "completed"), counted.deliveries("email", "failed"), counted.deliveries("email", "unknown")]).toEqual(
		[1, 1, 1],
	);
	expect([counted.deliveries("dashboard", "completed"), counted.deliveries("dashboard", "unknown")]).toEqual([1, 0]);
	// The time of an immediate plan is the moment it was made.
	expect(counted.lag.count).toBe(4);

	// Its run is known in an event of its own.
	await desk.settled((await desk.script("return 'worked'")).planId);
	expect((await series()).lag.count).toBe(5);

	const scheduledFor = new Date(Date.now() + 1_000).toISOString();
	await desk.settled(
		(await desk.create({ type: "scheduled", scheduledFor, delivery: [{ channel: "dashboard", content: "Late" }] })).planId,
	);
	const late = await series();
	expect(late.lag.count).toBe(6);
	expect(late.lag.sum).toBeLessThan(20);
	expect(late.text).not.toContain("call mom");
	expect(late.text).not.toContain("example.org");
});
