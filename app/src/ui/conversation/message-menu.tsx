import { Menu } from "@base-ui/react/menu";
import { Copy, GitBranch, Pencil, Route as RouteIcon } from "lucide-react";
import { useEffect, useRef } from "react";
import type { TurnDetail } from "../../api/ui-api.ts";
import { words } from "../../strings/interface.ts";
import { menuWords } from "../../strings/threads/menu-words.ts";
import { Icon } from "../components/icon.tsx";
import { useStore } from "../connection/store.ts";
import type { ThreadReader } from "../follow/thread-reader.ts";
import { go, route } from "../state/route.ts";
import { say } from "../state/toasts.ts";
import { type MenuOf, messageMenu } from "./message-menu-state.ts";

interface MessageMenuProps {
	readonly threadId: ThreadReader["threadId"];
	/** Puts the message into the composer. Nothing is sent, and no earlier message changes. */
	edit(detail: TurnDetail): void;
}

/** What can be done with a message or an answer. */
export function MessageMenu({ threadId, edit }: MessageMenuProps) {
	const open = useStore(messageMenu);
	const isEdited = useRef(false);
	// Closes when another page opens: on the page of another thread, the menu would act on a message that isn't shown.
	useEffect(() => route.subscribe(() => messageMenu.set(undefined)), []);
	if (open === undefined) return null;
	const { detail, answer, button, point, isOpen } = open;
	if (isOpen) isEdited.current = false;
	const { turnId } = detail.turn;
	const anchor = point === undefined ? button : { getBoundingClientRect: () => new DOMRect(point.x, point.y, 0, 0) };
	return (
		<Menu.Root open={isOpen} onOpenChange={(is) => !is && messageMenu.set({ ...open, isOpen: false })}>
			<Menu.Portal container={document.querySelector<HTMLElement>(".frame")}>
				<Menu.Positioner className="pop-layer" anchor={anchor} align={point === undefined ? "end" : "start"} sideOffset={4}>
					<Menu.Popup
						className="pop menu"
						finalFocus={() => (isEdited.current ? messageField() : button.isConnected ? button : null)}
						aria-label={answer === undefined ? menuWords.ofMessage : menuWords.ofAnswer}
					>
						<Menu.Item className="menu-item" onClick={() => copy(answer ?? detail.request.prompt, copiedWords(open))}>
							<Icon of={Copy} small />
							{answer === undefined ? menuWords.copyMessage : menuWords.copyAnswer}
						</Menu.Item>
						{answer === undefined && (
							<Menu.Item
								className="menu-item"
								onClick={() => {
									isEdited.current = true;
									edit(detail);
								}}
							>
								<Icon of={Pencil} small />
								{menuWords.edit}
							</Menu.Item>
						)}
						<Menu.Item className="menu-item" onClick={() => go({ page: "new", from: { threadId, turnId } })}>
							<Icon of={GitBranch} small />
							{menuWords.continueHere}
						</Menu.Item>
						{answer !== undefined && (
							<Menu.Item className="menu-item" onClick={() => go({ page: "log", threadId, turnId })}>
								<Icon of={RouteIcon} small />
								{words.thread.runLog}
							</Menu.Item>
						)}
					</Menu.Popup>
				</Menu.Positioner>
			</Menu.Portal>
		</Menu.Root>
	);
}

/** The field that a message which is edited is put into. */
function messageField(): HTMLElement | null {
	return document.querySelector<HTMLElement>("form.box textarea");
}

/** The copied text does not have the page's marks, so the words say that claims in it could not be verified. */
function copiedWords({ answer, detail: { snapshot } }: MenuOf): string {
	return answer !== undefined && snapshot?.grounding?.state === "unverified" ? menuWords.copiedUnmarked : menuWords.copied;
}

/** The text is copied as it was written, because it will be pasted elsewhere. */
function copy(text: string, copied: string): void {
	navigator.clipboard.writeText(text).then(
		() => say(copied),
		() => say(menuWords.notCopied),
	);
}
