import { z } from "zod";

/** First of all: the policy of this page forbids code made from text, and zod would try. */
z.config({ jitless: true });
