import { ThreadId, TurnId } from "@xworkmate/contracts";
import { expect, it } from "vitest";
import { hintOfThread, type TakenPlaces, takenPlaces } from "../../../src/ui/turn/thread-hint.ts";
import { approval, ended, summary } from "../stories.ts";

const turnId = TurnId.parse("turn1");
const { endedAt: _, ...turn } = ended({}, undefined).turn;
const last = (status: typeof turn.status) => ({ pendingTurnId: turnId, lastTurn: { ...turn, turnId, status } });

it("says why a run waits for another", () => {
	const of = (places?: TakenPlaces) => hintOfThread(summary("thread1", 5, last("queued")), "Codex", places);
	expect(of({ runs: 4, asking: 0 })).toBe("4 runs active");
	expect(of({ runs: 1, asking: 0 })).toBe("1 run active");
	expect(of()).toBe("Waiting to start");
});

it("says that a run waits for the user, because those that wait for an answer keep their places", () => {
	const threads = ["a", "b", "c"].map((id, index) => summary(id, index, last(index === 2 ? "queued" : "running")));
	const said = (...asking: readonly string[]) => {
		const approvals = asking.map((id) => approval({ threadId: ThreadId.parse(id) }));
		return hintOfThread(summary("c", 5, last("queued")), "Codex", takenPlaces({ threads, approvals }, 2));
	};
	expect(said()).toBe("2 runs active");
	expect(said("a")).toBe("2 runs active, 1 waiting for your answer");
	expect(said("a", "b", "b")).toBe("2 runs are waiting for your answer");
	const one = takenPlaces({ threads: threads.slice(0, 1), approvals: [approval({ threadId: ThreadId.parse("a") })] }, 1);
	expect(hintOfThread(summary("c", 5, last("queued")), "Codex", one)).toBe("1 run is waiting for your answer");
});

it("counts runs at work only when they take all places, as a run that just began is queued for a moment", () => {
	const threads = ["a", "b", "c"].map((id, index) => summary(id, index, last(index === 2 ? "queued" : "running")));
	const taken = (places?: number) => takenPlaces({ threads, approvals: [] }, places);
	expect([taken(4), taken(2), taken()]).toEqual([undefined, { runs: 2, asking: 0 }, undefined]);
	const gatewayQueue = { position: 1, length: 1 };
	expect(hintOfThread(summary("thread1", 5, { ...last("waiting"), gatewayQueue }), "OpenClaw", { runs: 4, asking: 0 })).toBe(
		"Waiting for OpenClaw",
	);
});
