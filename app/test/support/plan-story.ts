import { DeliveryAction, Occurrence, Plan } from "@xworkmate/contracts";

const AT = "2026-01-02T03:04:05.006Z";

/** One message, as a test needs it. */
export function action(more: Partial<DeliveryAction> = {}): DeliveryAction {
	return DeliveryAction.parse({ channel: "email", actionId: "beaches-1-1", status: "completed", attempts: 1, ...more });
}

/** One time that the plan was due. */
export function occurrence(more: Partial<Occurrence> = {}): Occurrence {
	return Occurrence.parse({
		...{ occurrenceId: "beaches-1", planId: "beaches", kind: "scheduled", dueAt: AT, status: "completed" },
		...{ runs: [], work: [], delivery: [action()], revision: 3 },
		...more,
	});
}

/** A plan whose newest time is that occurrence. */
export function plan(more: Partial<Plan> = {}): Plan {
	const { occurrence: newest = occurrence(), ...rest } = more;
	return Plan.parse({
		...{ planId: "beaches", threadId: "thread-of-beaches", title: "Beaches in Bali", instructions: "", type: "immediate" },
		...{ createdAt: AT, status: "completed", revision: 2, scheduleWords: "once, at once", needsReview: 0, lastSeq: 4 },
		...{ timezone: "UTC", overlap: "skip", conversation: "fresh", whenDeclined: "review" },
		...{ work: newest.work, delivery: newest.delivery, occurrence: newest },
		...rest,
	});
}
