import { Menu } from "@base-ui/react/menu";
import type { Plan } from "@xworkmate/contracts";
import { Ban, ExternalLink, Pause, Pencil, Play, ShieldCheck, Trash2 } from "lucide-react";
import { useEffect, useState } from "react";
import { fill } from "../../strings/interface.ts";
import { newPlanWords } from "../../strings/plans/new-plan-words.ts";
import { plansPageWords } from "../../strings/plans/plans-page-words.ts";
import { cancelWords } from "../../text/plans/cancel-words.ts";
import { ConfirmDialog } from "../components/confirm-dialog.tsx";
import { Icon } from "../components/icon.tsx";
import { useStore } from "../connection/store.ts";
import { useApp } from "../state/app-context.tsx";
import { go, route } from "../state/route.ts";
import { attempt } from "../state/thread-actions.ts";
import { visibleName } from "../text/visible-text.ts";
import { cancelOpen, isPausable, readOpen, remove, runNow, togglePaused } from "./plan-actions.ts";
import { planMenu } from "./plan-menu-state.ts";

const words = plansPageWords.actions;

/** What can be done with a plan. */
export function PlanMenu() {
	const open = useStore(planMenu);
	const { threads } = useApp().app;
	const [asked, setAsked] = useState<Plan>();
	const [cancelling, setCancelling] = useState<{ readonly plan: Plan; readonly ends: readonly string[] }>();
	// Closes everything when another page opens: the menu's button is gone, and its questions would be about a plan that isn't shown.
	useEffect(
		() =>
			route.subscribe(() => {
				planMenu.set(undefined);
				setAsked(undefined);
				setCancelling(undefined);
			}),
		[],
	);
	if (open === undefined) return null;
	const { plan, button, isOpen } = open;
	// A plan that has not run, or that sends a given text, has no thread.
	const hasThread = threads.some(({ threadId }) => threadId === plan.threadId);
	const isPaused = plan.status === "paused";
	const isPending = plan.status === "running" || plan.needsReview > 0;
	const askToCancel = () =>
		attempt(async () => {
			const found = await readOpen(plan.planId);
			setCancelling({ plan, ends: cancelWords(found) });
		});
	return (
		<>
			<Menu.Root open={isOpen} onOpenChange={(is) => !is && planMenu.set({ ...open, isOpen: false })}>
				<Menu.Portal container={document.querySelector<HTMLElement>(".frame")}>
					<Menu.Positioner className="pop-layer" anchor={button} align="end" sideOffset={4}>
						<Menu.Popup
							className="pop menu"
							finalFocus={() => button}
							aria-label={fill(plansPageWords.more, { title: visibleName(plan.title) })}
						>
							<Menu.Item className="menu-item" onClick={(event) => void runNow(plan, event)}>
								<Icon of={Play} small />
								{words.run}
							</Menu.Item>
							{isPausable(plan) && (
								<Menu.Item className="menu-item" onClick={() => void togglePaused(plan)}>
									<Icon of={isPaused ? Play : Pause} small />
									{isPaused ? words.resume : words.pause}
								</Menu.Item>
							)}
							{isPending && (
								<Menu.Item className="menu-item" onClick={() => void askToCancel()}>
									<Icon of={Ban} small />
									{words.cancel}
								</Menu.Item>
							)}
							{hasThread && (
								<Menu.Item className="menu-item" onClick={() => go({ page: "thread", threadId: plan.threadId })}>
									<Icon of={ExternalLink} small />
									{words.thread}
								</Menu.Item>
							)}
							<Menu.Item className="menu-item" onClick={() => go({ page: "receipts", filter: { planId: plan.planId } })}>
								<Icon of={ShieldCheck} small />
								{words.receipts}
							</Menu.Item>
							{plan.status !== "deleted" && (
								<Menu.Item className="menu-item" onClick={() => go({ page: "edit-plan", planId: plan.planId })}>
									<Icon of={Pencil} small />
									{newPlanWords.edit}
								</Menu.Item>
							)}
							<Menu.Separator className="menu-line" />
							<Menu.Item className="menu-item danger" onClick={() => setAsked(plan)}>
								<Icon of={Trash2} small />
								{words.remove}
							</Menu.Item>
						</Menu.Popup>
					</Menu.Positioner>
				</Menu.Portal>
			</Menu.Root>
			<ConfirmDialog
				isOpen={cancelling !== undefined}
				title={fill(words.cancelTitle, { title: visibleName(cancelling?.plan.title ?? "") })}
				say={cancelling === undefined || cancelling.ends.length === 0 ? words.cancelNothing : cancelling.ends.join(" ")}
				cancel={words.keep}
				{...(cancelling !== undefined && cancelling.ends.length > 0 && { word: words.cancelNow })}
				isDanger
				confirm={() => (cancelling === undefined ? undefined : cancelOpen(cancelling.plan))}
				close={() => setCancelling(undefined)}
			/>
			<ConfirmDialog
				isOpen={asked !== undefined}
				title={fill(words.removeTitle, { title: visibleName(asked?.title ?? "") })}
				say={words.removeSay}
				cancel={words.keep}
				word={words.removeNow}
				isDanger
				confirm={() => (asked === undefined ? undefined : remove(asked))}
				close={() => setAsked(undefined)}
			/>
		</>
	);
}
