import { ContractError } from "@xworkmate/contracts";
import { expect, it } from "vitest";
import { BridgeTransportError, RestartedBridge } from "../../src/bridge-client/index.ts";
import { AppError } from "../../src/errors/app-error.ts";

const gone = new BridgeTransportError("ACP_HTTP_CONNECTION_CLOSED", "It is gone.");

/** Asks with these answers, one after the other; the last one is repeated. */
async function asked(isOwn: boolean, waitMs: number, ...answers: readonly (string | Error)[]) {
	let count = 0;
	const query = async () => {
		const answer = answers[Math.min(count++, answers.length - 1)];
		if (answer instanceof Error) throw answer;
		return answer;
	};
	const result = await new RestartedBridge(isOwn, { waitMs, everyMs: 1 }).ask(query).catch((error: unknown) => error);
	return { result, count };
}

it("a query of a bridge that hangs or has ended is asked again while it is restarted", async () => {
	const notThere = new AppError("BRIDGE_NOT_RUNNING", "It isn't running.", "Wait.");
	expect(await asked(true, 60_000, gone, notThere, "the runs")).toEqual({ result: "the runs", count: 3 });
});

it("is given up after a while, and says that the bridge is being restarted", async () => {
	const { result, count } = await asked(true, 20, gone);
	expect(result).toMatchObject({
		code: "BRIDGE_NOT_RUNNING",
		message: "The bridge did not answer within 0 s. XWorkmate may still be restarting it.",
		cause: gone,
	});
	expect(count).toBeGreaterThan(1);
});

it("is not repeated when the bridge has answered, and not for a bridge that this app does not restart", async () => {
	const refused = new ContractError("INTERNAL");
	expect(await asked(true, 60_000, refused)).toEqual({ result: refused, count: 1 });
	expect(await asked(false, 60_000, gone)).toEqual({ result: gone, count: 1 });
});
