import type { ListedRequirement } from "./requirement.ts";

/** D2, Task Delivery: work plans, deliverables, a gate, channels. */
export const taskDelivery: readonly ListedRequirement[] = [
	{ id: "D2-01", state: "later", behaviour: "A task has a typed work plan: work items and delivery actions" },
	{ id: "D2-02", state: "later", behaviour: "A work item is pending, completed or failed" },
	{
		id: "D2-03",
		state: "later",
		behaviour:
			"A delivery action has a channel (whatsapp, email, dashboard), an optional recipient, optional content, and is pending, completed, failed or needs_review",
	},
	{
		id: "D2-04",
		state: "later",
		behaviour: "The brain's instructions hold the title, the instructions, the work items and the output format with <deliverable> tags",
	},
	{
		id: "D2-05",
		state: "later",
		behaviour:
			"The instructions carry the constraints of the channels that the delivery actions name, and none when there are no delivery actions",
	},
	{ id: "D2-06", state: "later", behaviour: "The recipient sees only what is inside the deliverable tags" },
	{ id: "D2-07", state: "later", behaviour: "Raw work output is never delivered by itself" },
	{
		id: "D2-08",
		state: "later",
		behaviour: "A response without deliverable tags is invalid when there are delivery actions",
	},
	{ id: "D2-09", state: "later", behaviour: "An empty deliverable is invalid when there are delivery actions" },
	{
		id: "D2-10",
		state: "later",
		behaviour: "A deliverable NONE, in any case, is a refusal and invalid when there are delivery actions",
	},
	{ id: "D2-11", state: "later", behaviour: "Without delivery actions a response needs no deliverable" },
	{
		id: "D2-12",
		state: "later",
		behaviour: "An invalid deliverable with delivery actions sets needs_review, and nothing is sent",
	},
	{ id: "D2-13", state: "later", behaviour: "A needs_review delivery waits for a person before it proceeds" },
	{
		id: "D2-14",
		state: "later",
		behaviour: "A delivery action with content of its own is sent as it is, and the brain is skipped",
	},
	{
		id: "D2-15",
		state: "later",
		behaviour: "Each pending delivery action is executed once, and one that is not pending is skipped",
	},
	{ id: "D2-16", state: "later", behaviour: "One request leads to exactly one message per delivery action" },
	{ id: "D2-17", state: "later", behaviour: "The full work response goes to the transcript and the dashboard" },
	{
		id: "D2-18",
		state: "later",
		behaviour:
			"A request is extracted into title, instructions, work, delivery, type (immediate, scheduled) and scheduledFor as structured data",
	},
	{ id: "D2-19", state: "later", behaviour: "Delivery is decided by typed actions, never by matching words in prose" },
	{
		id: "D2-20",
		state: "later",
		behaviour: "A task card shows the status of every work item and delivery action, and why one needs review",
	},
	{
		id: "D2-21",
		state: "later",
		behaviour: "Events announce that a task was created (with work and delivery), its result, and that its delivery is complete",
	},
	{ id: "D2-22", state: "later", behaviour: "Work items and delivery actions are stored with the task" },
	{
		id: "D2-23",
		state: "later",
		behaviour: "A scheduled message goes out at its time, with exactly the text that was given",
	},
];
