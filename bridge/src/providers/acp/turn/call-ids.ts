import type { ToolCallId } from "@xworkmate/contracts";
import type { ToolCallChange } from "../../agent-update.ts";
import { toolCallIdOf } from "../../tool-call-id.ts";
import type { UpdateTranslator } from "../../update-translator.ts";

/** How many calls with an id of the bridge's own are remembered. */
const REMEMBERED = 2_000;

type Translator = Pick<
	UpdateTranslator,
	"isAnother" | "isAnotherQuestion" | "isOfEarlier" | "isOtherReport" | "knows" | "nameOf" | "namedAsBefore"
>;

/**
 * Distinguishes calls for which an agent uses the same id: the first call keeps the id, the second gets `ID#2`. What the agent then reports
 * under the id belongs to the newest of these calls, unless the report continues the allowed call before it.
 */
export class CallIds {
	readonly #translator: Translator;
	/**
	 * By the agent's id, if the newest call with that id has a different id in the log: its number, its id in the log, and the log's id of
	 * the call before it.
	 */
	readonly #newest = new Map<ToolCallId, { readonly n: number; readonly own: ToolCallId; readonly before: ToolCallId }>();
	readonly #given = new Set<ToolCallId>();

	constructor(translator: Translator) {
		this.#translator = translator;
	}

	/**
	 * Returns the change with the id that its call has in the log. If the change is about another call under the same id, adds the title and
	 * the kind that it left out. `sentAs`: whether the agent sent the change as a new call, as an update of a known one, or as a question.
	 */
	own(change: ToolCallChange, sentAs: "call" | "update" | "question"): ToolCallChange {
		const { toolCallId } = change;
		const newest = this.#newest.get(toolCallId);
		const known = newest === undefined ? change : { ...change, toolCallId: newest.own };
		// An agent may itself use an id that the bridge has given to another of its calls.
		const isTaken = newest === undefined && this.#given.has(toolCallId);
		const isOther = !isTaken && sentAs !== "question" && this.#translator.isOtherReport(known);
		const isAnother =
			isOther ||
			(sentAs === "call" && this.#translator.isAnother(known)) ||
			(sentAs === "question" && this.#translator.isAnotherQuestion(known));
		// The agent may go on with an allowed call while it still asks about another one under the same id.
		if (sentAs === "update" && newest !== undefined && this.#translator.isOfEarlier(newest.before, known))
			return { ...change, toolCallId: newest.before };
		if (!isTaken && !isAnother) return known;
		// A question may leave out the title and the kind of its call, and so may an update.
		const named = isOther ? this.#translator.namedAsBefore(known) : sentAs === "question" && !isTaken ? this.#translator.nameOf(known) : {};
		return { ...change, ...named, toolCallId: this.#give(toolCallId, (newest?.n ?? 1) + 1, known.toolCallId) };
	}

	#give(toolCallId: ToolCallId, first: number, before: ToolCallId): ToolCallId {
		let n = first;
		const own = () => toolCallIdOf(`${toolCallId}#${n}`);
		while (this.#given.has(own()) || this.#translator.knows(own())) n++;
		this.#newest.delete(toolCallId);
		this.#newest.set(toolCallId, { n, own: own(), before });
		this.#given.add(own());
		const [oldest] = this.#newest.keys();
		if (this.#newest.size > REMEMBERED && oldest !== undefined) this.#newest.delete(oldest);
		const [forgotten] = this.#given;
		if (this.#given.size > REMEMBERED && forgotten !== undefined) this.#given.delete(forgotten);
		return own();
	}
}
