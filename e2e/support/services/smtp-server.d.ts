import { type Email } from "postal-mime";
import { z } from "zod";
declare const Event: z.ZodObject<{
    connection: z.ZodNumber;
    event: z.ZodString;
    content: z.ZodNumber;
    detail: z.ZodOptional<z.ZodString>;
}, z.core.$strict>;
export type MailEvent = z.infer<typeof Event>;
/** How the next exchanges go wrong (e2e/fakes/smtp/mail-fault.ts). */
export interface MailFault {
    readonly stage: "greeting" | "auth" | "mail" | "rcpt" | "data" | "dot" | "stored";
    readonly kind: "answer" | "cut" | "hang";
    readonly code?: number;
    readonly text?: string;
    readonly times?: number;
    readonly bytes?: number;
}
/** A mail that the server has accepted. */
export interface ReceivedMail {
    readonly from: string;
    readonly to: readonly string[];
    /** As it came, on disk. */
    readonly bytes: Buffer;
    /** As a mail program reads it. */
    readonly read: Email;
}
export interface FakeSmtp extends AsyncDisposable {
    /** Settings of the channel `email`; those of a plain server have no user. */
    readonly settings: Readonly<Record<string, string | number>>;
    readonly secrets: Readonly<Record<string, string>>;
    fail(fault: MailFault): Promise<void>;
    journal(): Promise<readonly MailEvent[]>;
    /** In the order in which they were accepted. */
    mails(): Promise<readonly ReceivedMail[]>;
    /** The journal once it fits. */
    noted(what: string, fits: (journal: readonly MailEvent[]) => boolean): Promise<readonly MailEvent[]>;
}
/** Starts a mail server as a process on 127.0.0.1. Its main.ts says what it does. */
export declare function startFakeSmtp(security?: "tls" | "starttls" | "none"): Promise<FakeSmtp>;
export {};
