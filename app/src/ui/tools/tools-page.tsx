import type { Integration, ListedTool } from "@xworkmate/contracts";
import { FolderOpen, RotateCcw } from "lucide-react";
import { useState } from "react";
import { ruleWords, toolsPageWords as words } from "../../strings/calls/tools-page-words.ts";
import { fill } from "../../strings/interface.ts";
import { sayCount } from "../../text/runs/actions-title.ts";
import { Icon } from "../components/icon.tsx";
import { PageBar } from "../components/page-bar.tsx";
import { ReadState } from "../components/read-state.tsx";
import { callApp } from "../connection/call-app.ts";
import { useApp } from "../state/app-context.tsx";
import { attempt } from "../state/thread-actions.ts";
import { say } from "../state/toasts.ts";
import { AddTools } from "./add-tools.tsx";
import { IntegrationCard, inheritedRule, type Rule } from "./integration-card.tsx";
import { withOne } from "./integration-order.ts";
import { Permissions } from "./permissions.tsx";
import { ReviewPage } from "./review-page.tsx";
import { useTools } from "./use-tools.ts";

/** What programs may do, and under which rules. With `review`, the newest version of one integration. */
export default function ToolsPage({ review }: { readonly review?: string }) {
	return review === undefined ? <ToolList /> : <ReviewPage key={review} integration={review} />;
}

/** How many integrations were loaded, how many of them need a review, and how many failed to load. */
function reloadedLine(integrations: readonly Integration[]): string {
	const counted = (of: Integration["state"]) => integrations.filter(({ state }) => state === of).length;
	const [waiting, failed] = [counted("unaccepted"), counted("failed")];
	const loaded = integrations.length - failed;
	const parts = [
		...(loaded > 0 || failed === 0 ? [fill(words.reloaded, { integrations: sayCount(loaded, words.integrationsCount) })] : []),
		...(waiting > 0 ? [fill(words.toReview, { count: waiting })] : []),
		...(failed > 0 ? [sayCount(failed, words.notLoaded)] : []),
	];
	return parts.join(" ");
}

function ToolList() {
	const { announce } = useApp();
	const { integrations, problem, set, read } = useTools();
	const [isBusy, setBusy] = useState(false);
	const listed = integrations ?? [];
	const act = (doing: () => Promise<void>) => {
		setBusy(true);
		void attempt(doing).finally(() => setBusy(false));
	};
	const reload = (integration?: string) =>
		act(async () => {
			const { integrations: fresh } = await callApp("reloadTools", integration === undefined ? {} : { integration });
			// Reloading one integration may return only that one, so the others are kept as listed.
			set(integration === undefined ? fresh : fresh.reduce(withOne, listed));
			say(reloadedLine(fresh));
		});
	const setRule = (tool: ListedTool, decision: Rule) =>
		void attempt(async () => {
			const changed = await callApp("setToolRule", { toolId: tool.toolId, decision });
			read();
			const rule = changed.rule === undefined ? inheritedRule(changed) : ruleWords[changed.rule];
			announce(fill(words.ruleSet, { tool: changed.toolId, rule }));
		});
	return (
		<main className="main" tabIndex={-1}>
			<PageBar title={words.title} say={words.lead}>
				<button type="button" className="btn quiet" onClick={() => void attempt(() => callApp("openDataFolder", {}))}>
					<Icon of={FolderOpen} />
					<span className="vh-n">{words.openFolder}</span>
				</button>
				<button type="button" className="btn" disabled={isBusy} onClick={() => reload()}>
					<Icon of={RotateCcw} />
					{words.reload}
				</button>
			</PageBar>
			<div className="scroll">
				<div className="page wide tools">
					<ReadState isRead={integrations !== undefined} {...{ problem, words, read }} />
					<Permissions />
					{listed.length > 0 && (
						<section className="block stack-l" aria-label={words.integrations}>
							<h2>
								{words.integrations} <span className="muted normal">{listed.length}</span>
							</h2>
							{listed.map((one) => (
								<IntegrationCard
									key={one.integration}
									integration={one}
									isBusy={isBusy}
									reload={() => reload(one.integration)}
									setRule={setRule}
								/>
							))}
						</section>
					)}
					{integrations !== undefined && <AddTools integrations={integrations} added={(one) => set(withOne(integrations, one))} />}
				</div>
			</div>
		</main>
	);
}
