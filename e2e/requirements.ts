import { openAssistant } from "./requirements/openassistant.ts";
import type { Requirement, SeedRequirement } from "./requirements/requirement.ts";
import { taskDelivery } from "./requirements/task-delivery.ts";
import { taskThreadWorkflow } from "./requirements/taskthread-workflow.ts";

/** Everything the seed documents require. Tests cite the ids in their titles: `it("[T4-17] streams ...")`. */
export const requirements: readonly Requirement[] = [
	...from("seed 004", taskThreadWorkflow),
	...from("seed 001", openAssistant),
	...from("seed 002", taskDelivery),
];

function from(source: Requirement["source"], list: readonly SeedRequirement[]): Requirement[] {
	return list.map((requirement) => ({ source, ...requirement }));
}
