import { expect, it } from "vitest";
import { startBridge } from "../../support/bridge/bridge-process.ts";
import { temporaryHome } from "../../support/machine/temporary-home.ts";
import { PlanDesk } from "../../support/plans/plan-desk.ts";
import { setUpEmail } from "../../support/plans/set-up-email.ts";
import { startFakeSmtp } from "../../support/services/smtp-server.ts";

const large = [{ channel: "email", content: "All of it. ".repeat(600_000) }];

it("a large mail whose time is over before the server has all of it is tried again; one that the server has whole is unknown", async () => {
	await using home = await temporaryHome();
	await using smtp = await startFakeSmtp();
	await using bridge = await startBridge({ home, env: { XWORKMATE_SEND_TIMEOUT_MS: "6000" } });
	const desk = new PlanDesk(bridge.client());
	await setUpEmail(desk.client, smtp);
	await smtp.fail({ stage: "data", kind: "hang", bytes: 1 });
	const cut = await desk.create({ delivery: large });
	// Each answer has all of the message in it, so the bridge is asked seldom: it has the message to send meanwhile.
	const after = await desk.until(
		cut.planId,
		"the end of its time",
		({ occurrence }) => {
			const [action] = occurrence?.delivery ?? [];
			return action?.attempts === 1 && action.status !== "sending" && action.status !== "unknown";
		},
		1_000,
	);
	expect(after.delivery).toMatchObject([{ status: "pending", attempts: 1, notBefore: expect.any(String) }]);
	expect(after.delivery[0]?.message).toMatch(/did not receive the whole message in time/);

	await smtp.fail({ stage: "dot", kind: "hang" });
	const given = await desk.create({ delivery: [{ channel: "email", content: "Short" }] });
	const unknown = await desk.settled(given.planId);
	expect(unknown).toMatchObject({ status: "needs_review", delivery: [{ status: "unknown", code: "NO_ANSWER", attempts: 1 }] });
	expect(await smtp.mails()).toEqual([]);
});
