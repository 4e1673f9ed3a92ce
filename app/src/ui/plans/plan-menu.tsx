import { AlertDialog } from "@base-ui/react/alert-dialog";
import { Menu } from "@base-ui/react/menu";
import type { Plan } from "@xworkmate/contracts";
import { Ban, ExternalLink, Pause, Play, Trash2 } from "lucide-react";
import { useState } from "react";
import { fill } from "../../strings/interface.ts";
import { plansPageWords } from "../../strings/plans-page-words.ts";
import { Icon } from "../components/icon.tsx";
import { useStore } from "../connection/store.ts";
import { go } from "../state/route.ts";
import { visibleName } from "../text/visible-text.ts";
import { cancelOpen, remove, runNow, togglePaused } from "./plan-actions.ts";
import { planMenu } from "./plan-menu-state.ts";

const words = plansPageWords.actions;

/** What can be done with a plan. */
export function PlanMenu() {
	const open = useStore(planMenu);
	const [asked, setAsked] = useState<Plan>();
	if (open === undefined) return null;
	const { plan, button, isOpen } = open;
	const isPaused = plan.status === "paused";
	const isRunning = plan.status === "running";
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
							<Menu.Item className="menu-item" onClick={() => void runNow(plan)}>
								<Icon of={Play} small />
								{words.run}
							</Menu.Item>
							{plan.type === "recurring" && (
								<Menu.Item className="menu-item" onClick={() => void togglePaused(plan)}>
									<Icon of={isPaused ? Play : Pause} small />
									{isPaused ? words.resume : words.pause}
								</Menu.Item>
							)}
							{isRunning && (
								<Menu.Item className="menu-item" onClick={() => void cancelOpen(plan)}>
									<Icon of={Ban} small />
									{words.cancel}
								</Menu.Item>
							)}
							<Menu.Item className="menu-item" onClick={() => go({ page: "thread", threadId: plan.threadId })}>
								<Icon of={ExternalLink} small />
								{words.thread}
							</Menu.Item>
							<Menu.Separator className="menu-line" />
							<Menu.Item className="menu-item danger" onClick={() => setAsked(plan)}>
								<Icon of={Trash2} small />
								{words.remove}
							</Menu.Item>
						</Menu.Popup>
					</Menu.Positioner>
				</Menu.Portal>
			</Menu.Root>
			<RemovePlan plan={asked} close={() => setAsked(undefined)} />
		</>
	);
}

/** The question before a plan is deleted. */
function RemovePlan({ plan, close }: { readonly plan: Plan | undefined; close(): void }) {
	const [isBusy, setBusy] = useState(false);
	const confirm = (asked: Plan) => {
		setBusy(true);
		void remove(asked).finally(() => {
			setBusy(false);
			close();
		});
	};
	return (
		<AlertDialog.Root open={plan !== undefined} onOpenChange={(isOpen) => !isOpen && close()}>
			<AlertDialog.Portal container={document.querySelector<HTMLElement>(".frame")}>
				<AlertDialog.Backdrop className="scrim" />
				<AlertDialog.Popup className="dialog">
					{plan !== undefined && (
						<div className="dialog-form">
							<AlertDialog.Title className="dialog-title">{fill(words.removeTitle, { title: visibleName(plan.title) })}</AlertDialog.Title>
							<AlertDialog.Description className="soft">{words.removeSay}</AlertDialog.Description>
							<div className="flex end">
								<AlertDialog.Close className="btn lg">{words.keep}</AlertDialog.Close>
								<button type="button" className="btn lg danger" disabled={isBusy} onClick={() => confirm(plan)}>
									{words.removeNow}
								</button>
							</div>
						</div>
					)}
				</AlertDialog.Popup>
			</AlertDialog.Portal>
		</AlertDialog.Root>
	);
}
