import { useState } from "react";
import { newPlanWords as words } from "../../strings/plans/new-plan-words.ts";
import { plansPageWords } from "../../strings/plans/plans-page-words.ts";
import { foundAgents } from "../agents/agents-found.ts";
import { usableRouting } from "../agents/routing.ts";
import { PageBar } from "../components/page-bar.tsx";
import { useChannels, useContacts } from "../plans/use-recipients.ts";
import { useProviders } from "../state/app-context.tsx";
import { preferences } from "../state/preferences.ts";
import { hrefOf } from "../state/route.ts";
import { FormPlan } from "./form-plan.tsx";
import { emptyDraft, type PlanDraft } from "./plan-draft.ts";
import { WordsPlan } from "./words-plan.tsx";

const ways = ["words", "form"] as const;

/** Creates a plan from a sentence or a form. What was typed is kept when the user switches between the two. */
export default function NewPlanPage() {
	const providers = useProviders();
	const { value: channels = [] } = useChannels();
	const { value: contacts } = useContacts();
	// Sentences are read by the assistant's model, so without a model only the form works.
	const [way, setWay] = useState<(typeof ways)[number]>(() => (foundAgents(providers).assistant?.available ? "words" : "form"));
	const [draft, setDraft] = useState<PlanDraft>(() => emptyDraft(new Date(), usableRouting(providers, preferences.value)));
	const [sentence, setSentence] = useState("");
	const openForm = (filled?: PlanDraft) => {
		if (filled !== undefined) setDraft(filled);
		setWay("form");
	};
	return (
		<main className="main with-panel" tabIndex={-1}>
			<PageBar title={plansPageWords.fresh} back={{ href: hrefOf({ page: "plans" }), label: plansPageWords.back }}>
				<fieldset className="seg" aria-label={words.how}>
					{ways.map((one) => (
						<button key={one} type="button" aria-pressed={one === way} onClick={() => setWay(one)}>
							{one === "words" ? words.inWords : words.form}
						</button>
					))}
				</fieldset>
			</PageBar>
			{way === "words" ? (
				<WordsPlan {...{ sentence, setSentence, channels, openForm }} contacts={contacts ?? []} routing={draft.routing} />
			) : (
				<FormPlan {...{ draft, setDraft, channels, contacts }} />
			)}
		</main>
	);
}
