import { plansPageWords as words } from "../../strings/plans/plans-page-words.ts";
import { hrefOf } from "../state/route.ts";

/** Says what a plan is. Shown while there are no plans. */
export function NoPlans() {
	return (
		<section className="block no-plans">
			<h2 className="h-page">{words.none}</h2>
			<p className="lead">{words.noneLead}</p>
			<ul className="bullets">
				{words.examples.map((example) => (
					<li key={example}>{example}</li>
				))}
			</ul>
			<p>
				<a className="btn pri" href={hrefOf({ page: "new-plan" })}>
					{words.fresh}
				</a>
			</p>
		</section>
	);
}
