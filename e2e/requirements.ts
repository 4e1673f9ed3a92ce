import { openAssistant } from "./requirements/openassistant.ts";
import type { ListedRequirement, Requirement } from "./requirements/requirement.ts";
import { taskDelivery } from "./requirements/task-delivery.ts";
import { taskThreadWorkflow } from "./requirements/taskthread-workflow.ts";

/** Everything that is required (docs/protocol.md#requirements). Tests cite the ids in their titles: `it("[T4-17] streams ...")`. */
export const requirements: readonly Requirement[] = [
	...from("TaskThread workflow", taskThreadWorkflow),
	...from("OpenAssistant", openAssistant),
	...from("Task Delivery", taskDelivery),
];

function from(source: Requirement["source"], list: readonly ListedRequirement[]): Requirement[] {
	return list.map((requirement) => ({ source, ...requirement }));
}
