import type { Random } from './random.ts';

const BUSINESSES = [
  'Al Noor Trading',
  'Harbour Coffee Roasters',
  'Palm Court Clinic',
  'Seaview Fitness Club',
  'Desert Rose Flowers',
  'Blue Dhow Logistics',
  'Little Scholars Nursery',
  'Old Souk Electronics',
];
const ARABIC_BUSINESSES = [
  'شركة الأفق للتجارة',
  'مؤسسة النخيل للمقاولات',
  'مكتبة الحكمة',
  'عيادة الواحة',
  'مخبز الديوانية',
];
const FIRST = [
  'Fatima',
  'Omar',
  'Layla',
  'Daniel',
  'Priya',
  'Yousef',
  'Maria',
  'Hassan',
  'Noura',
  'James',
  'Aisha',
];
const LAST = [
  'Al-Rashid',
  'Fernandes',
  'Khan',
  "O'Neill",
  'Haddad',
  'Nair',
  'Al-Mutawa',
  'Santos',
  'Okafor',
  'Saleh',
];
const ARABIC_FIRST = ['فاطمة', 'عمر', 'ليلى', 'يوسف', 'نورة', 'حسن', 'مريم', 'عبدالله', 'سارة'];
const ARABIC_LAST = ['الرشيد', 'العلي', 'المطوع', 'حداد', 'الصالح', 'الكندري', 'الشمري'];

const DESCRIPTIONS = [
  'Monthly membership',
  'Order for delivery on Thursday',
  'Consultation and follow-up',
  'سداد فاتورة الشهر',
  'دفعة مقدمة عن الطلب',
  'Catering, 40 guests, evening',
  'Rent, apartment 12, block 4',
  'Deposit; balance on collection',
  '',
];
/** Texts that break a careless table, mail or page. */
const AWKWARD_DESCRIPTIONS = [
  'School fees "Term 2"; second child, half price',
  'Order 4471:\n2 x cotton abaya, size M\n1 x scarf',
  'Windows line\r\nbreak, and a\ttab',
  'Thank you for your order 🧾✨ see you soon 👋🏽',
  '=SUM(A1:A9)',
  '=HYPERLINK("https://example.com";"receipt")',
  '+1 month free, as agreed',
  '-10% for members',
  '@reception: call on arrival',
  'طلب رقم ٤٤٧١، "توصيل مجاني"؛ شكراً 🌙',
  '<b>Gift</b> & card',
  'C:\\orders\\november "final"',
];

/** A merchant's name: Arabic for every third. */
export function businessName(index: number): string {
  const arabic = index % 3 === 2;
  const list = arabic ? ARABIC_BUSINESSES : BUSINESSES;
  const place = arabic ? Math.floor(index / 3) : index - Math.floor((index + 1) / 3);
  return list[place % list.length] ?? `Merchant ${index}`;
}

/** The contract's `customer`. Phone numbers begin with a zero, unlike any real number. */
export function customer(random: Random): { name: string; email: string; phone_number: string } {
  const arabic = random.chance(45);
  const first = random.pick(arabic ? ARABIC_FIRST : FIRST);
  const last = random.pick(arabic ? ARABIC_LAST : LAST);
  const nickname = random.chance(3) ? ' "Bu Ali"' : '';
  return {
    name: `${first}${nickname} ${last}`,
    email: `customer${random.digits(6)}@example.com`,
    phone_number: `+96500${random.digits(6)}`,
  };
}

export function description(random: Random): string {
  return random.pick(random.chance(20) ? AWKWARD_DESCRIPTIONS : DESCRIPTIONS);
}
